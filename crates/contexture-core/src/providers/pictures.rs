//! What an API takes of pictures, and whether it can be shown one.

use crate::types::{Api, Image, ImageSource, Pixels, is_base64};

/// What an API takes of pictures. As of 2026-11; where its pages name no limit there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pictures {
    /// Empty where its models read text alone, or it is not told.
    pub types: &'static [&'static str],
    /// Pixels of the longer side.
    pub side: u32,
    /// The same where there are more than so many pictures.
    pub of_many: (usize, u32),
    /// Bytes of base64.
    pub data: usize,
    pub count: usize,
    /// Whether the address of a picture will do, and whether one that holds the picture itself.
    pub urls: bool,
    pub data_urls: bool,
    /// Whether the result of a tool may have any.
    pub in_results: bool,
}

impl Pictures {
    pub(super) const NONE: Self = Self {
        types: &[],
        side: u32::MAX,
        of_many: (usize::MAX, u32::MAX),
        data: usize::MAX,
        count: usize::MAX,
        urls: true,
        data_urls: false,
        in_results: false,
    };
}

impl Api {
    /// Why it would refuse the picture with this number, of so many.
    pub(crate) fn refuses_picture(self, pixels: Pixels, data: usize, nth: usize, of: usize) -> Option<String> {
        let limits = &self.provider().pictures;
        if pixels.longer() > limits.side {
            return Some(format!("{pixels}, `{self}` takes {} a side", limits.side));
        }
        if data > limits.data {
            return Some(format!("{data} bytes as base64, `{self}` takes {}", limits.data));
        }
        if nth >= limits.count {
            return Some(format!("`{self}` takes {} pictures", limits.count));
        }
        let (many, side) = limits.of_many;
        (of.min(limits.count) > many && pixels.longer() > side)
            .then(|| format!("{pixels}, `{self}` takes {side} a side where there are more than {many} pictures"))
    }
}

impl Image {
    /// Whether a model can be shown it through this API; without one, whether anybody could.
    pub fn is_shown(&self, api: Option<Api>) -> bool {
        let taken = api.map(|api| &api.provider().pictures);
        let is_taken = |media: &str| taken.is_none_or(|taken| taken.types.contains(&media));
        match &self.source {
            ImageSource::Data(data) => is_taken(self.media()) && is_base64(data),
            ImageSource::Url(url) if url.starts_with("data:") => {
                taken.is_none_or(|taken| taken.data_urls) && url.starts_with("data:image/")
            }
            ImageSource::Url(url) => {
                url.starts_with("http") && is_taken("image/png") && taken.is_none_or(|taken| taken.urls)
            }
            ImageSource::Gone { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_api_has_its_limits() {
        let refused = |api: Api, side: u32, data: usize, nth: usize, of: usize| {
            api.refuses_picture(Pixels { width: side, height: 10 }, data, nth, of).unwrap_or_default()
        };
        assert_eq!(refused(Api::Anthropic, 8_000, 5 << 20, 0, 20), "");
        assert_eq!(refused(Api::Anthropic, 9_000, 9, 0, 1), "9000 × 10 pixels, `anthropic` takes 8000 a side");
        assert_eq!(refused(Api::Anthropic, 9, 5_242_881, 0, 1), "5242881 bytes as base64, `anthropic` takes 5242880");
        assert_eq!(
            refused(Api::Anthropic, 2_001, 9, 0, 21),
            "2001 × 10 pixels, `anthropic` takes 2000 a side where there are more than 20 pictures"
        );
        assert_eq!(refused(Api::Anthropic, 9, 9, 100, 101), "`anthropic` takes 100 pictures");
        assert_eq!(refused(Api::OpenAi, 9_000, 9, 0, 21), "");
        assert_eq!(refused(Api::OpenAi, 9, 9, 500, 501), "`openai` takes 500 pictures");
    }
}
