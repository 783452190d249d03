//! How streams are served over HTTP.

use clap::{Args, ValueEnum};
use wadi_http::{AllowedOrigins, Lifecycle, PublicBase, Settings};

use crate::{Access, AnswerArgs, LiveArgs, SizeArgs};

/// The settings of the HTTP shell.
#[derive(Clone, Debug, Args)]
pub struct HttpArgs {
    /// Whether PUT and DELETE at /ds/{account}/{stream} create and delete; at /v1/stream they always do.
    #[arg(long, env = "WADI_LIFECYCLE", default_value = "managed")]
    lifecycle: LifecycleArg,
    /// Access control. There is none yet: `off` must be said to listen on an address that others reach.
    #[arg(long, env = "WADI_ACCESS")]
    pub access: Option<Access>,
    /// Origins whose web pages may read answers: `*`, or a list with commas. Never with credentials.
    #[arg(long, env = "WADI_ALLOWED_ORIGINS", default_value = "*", value_parser = AllowedOrigins::parse)]
    allowed_origins: AllowedOrigins,
    /// Where the service is reached from outside, for the Location of new streams [default: the Host asked for].
    #[arg(long, env = "WADI_PUBLIC_URL", value_name = "URL", value_parser = PublicBase::parse)]
    public_url: Option<PublicBase>,
    /// How live reads are served.
    #[command(flatten)]
    pub live: LiveArgs,
    #[command(flatten)]
    answers: AnswerArgs,
    #[command(flatten)]
    sizes: SizeArgs,
}

/// What PUT and DELETE do at a hosted stream's URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LifecycleArg {
    /// They are refused.
    Managed,
    /// They create and delete.
    Open,
}

impl HttpArgs {
    /// The settings of the HTTP shell.
    pub fn settings(&self) -> Settings {
        let settings = Settings {
            lifecycle: match self.lifecycle {
                LifecycleArg::Managed => Lifecycle::Managed,
                LifecycleArg::Open => Lifecycle::Open,
            },
            allowed_origins: self.allowed_origins.clone(),
            public_base: self.public_url.clone(),
            ..Settings::default()
        };
        self.sizes.applied_to(self.answers.applied_to(self.live.applied_to(settings)))
    }
}
