//! Built with `--features trace` alone.

/// One line for each token.
pub fn line(token: u32, text: &str) -> String {
    format!("{token}\t{text:?}")
}
