//! Stops a stream of tokens at stop sequences.
//!
//! Tokens and stop sequences do not end at the same places, so text that could still become a stop
//! sequence is held back, in the *jail*, until it is clear what it is.
//!
//! ```
//! use jail::{Decoder, Limits, StopSet, Words};
//!
//! let words = Words::new(&["hi", " there", " END"]);
//! let stops = StopSet::new().hidden(" END");
//! let mut decoder = Decoder::new(words, stops, Limits::default());
//! assert_eq!(decoder.step(0).text, "hi");
//! assert_eq!(decoder.step(1).text, " there");
//! let last = decoder.step(2);
//! assert_eq!((last.text.as_str(), last.stop.is_some()), ("", true));
//! ```

mod decoder;
mod jail;
mod stop;
mod tokenizer;
#[cfg(feature = "trace")]
mod trace;

pub use decoder::{Decoder, Limits, Output, Stop};
pub use stop::StopSet;
pub use tokenizer::{Tokenizer, Words};
