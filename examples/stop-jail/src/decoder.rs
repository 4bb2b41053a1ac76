use crate::jail::{Jail, Release};
use crate::stop::StopSet;
use crate::tokenizer::Tokenizer;

/// How long a stream is at least and at most.
#[derive(Clone, Copy, Default)]
pub struct Limits {
    /// Before this many tokens were generated, nothing stops the stream.
    pub min_tokens: usize,
    /// `None`: any number.
    pub max_tokens: Option<usize>,
}

/// What stopped a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Hidden(String),
    Visible(String),
    Token(u32),
    Length,
}

/// What one token adds to the output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    pub text: String,
    pub stop: Option<Stop>,
}

/// Decodes one stream, token by token.
pub struct Decoder<T> {
    tokenizer: T,
    stops: StopSet,
    limits: Limits,
    jail: Jail,
    generated: usize,
}

impl<T: Tokenizer> Decoder<T> {
    pub fn new(tokenizer: T, stops: StopSet, limits: Limits) -> Self {
        Decoder {
            tokenizer,
            stops,
            limits,
            jail: Jail::default(),
            generated: 0,
        }
    }

    /// Takes the next token.
    pub fn step(&mut self, token: u32) -> Output {
        self.generated += 1;
        let below_floor = self.generated < self.limits.min_tokens;
        let mut output = if below_floor {
            self.pass(token)
        } else {
            self.watch(token)
        };
        if output.stop.is_none() && Some(self.generated) == self.limits.max_tokens {
            output.text.push_str(&self.finish());
            output.stop = Some(Stop::Length);
        }
        output
    }

    /// The text that is still held when no more tokens come.
    pub fn finish(&mut self) -> String {
        self.jail.drain()
    }

    /// Below the floor: nothing stops, and nothing is held.
    fn pass(&mut self, token: u32) -> Output {
        Output {
            text: self.tokenizer.decode(token).to_string(),
            stop: None,
        }
    }

    fn watch(&mut self, token: u32) -> Output {
        if self.stops.has_token(token) {
            return Output {
                text: self.jail.drain(),
                stop: Some(Stop::Token(token)),
            };
        }
        let text = self.tokenizer.decode(token);
        match self.jail.push(text, &self.stops) {
            Release::Text(text) => Output { text, stop: None },
            Release::Stop {
                before,
                stop,
                visible,
            } => {
                if visible {
                    Output {
                        text: before + &stop,
                        stop: Some(Stop::Visible(stop)),
                    }
                } else {
                    Output {
                        text: before,
                        stop: Some(Stop::Hidden(stop)),
                    }
                }
            }
        }
    }
}
