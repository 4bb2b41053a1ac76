//! The jail before it knew visible sequences. No `mod` names this file, so nothing builds it.

pub fn held(text: &str, stop: &str) -> usize {
    (1..=text.len().min(stop.len()))
        .rev()
        .find(|&length| stop.starts_with(&text[text.len() - length..]))
        .unwrap_or(0)
}
