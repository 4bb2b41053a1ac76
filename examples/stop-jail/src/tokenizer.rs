/// Turns ids of tokens into text.
pub trait Tokenizer {
    /// The text of one token; empty for an id that has none.
    fn decode(&self, token: u32) -> &str;
}

/// A tokenizer for tests: the token `n` is the word at index `n`.
///
/// ```
/// use jail::{Tokenizer, Words};
///
/// let words = Words::new(&["hi", " there"]);
/// assert_eq!(words.decode(1), " there");
/// assert_eq!(words.decode(7), "");
/// ```
pub struct Words {
    words: Vec<String>,
}

impl Words {
    pub fn new(words: &[&str]) -> Self {
        Words {
            words: words.iter().map(|word| word.to_string()).collect(),
        }
    }

    /// How many tokens there are. No test asks.
    pub fn vocabulary(&self) -> usize {
        self.words.len()
    }
}

impl Tokenizer for Words {
    fn decode(&self, token: u32) -> &str {
        self.words.get(token as usize).map_or("", String::as_str)
    }
}
