/// The options of a first day: what `-h` shows of commands that have many.
enum FirstOptions {
  /// By the words of the command.
  static let table: [String: [String]] = [
    "send": what + to + place + ["dry-run", "results"],
    "run": ["only", "junit"] + to + place + ["dry-run", "results"],
    "channel create": ["bundle-id", "store"] + place,
    "channel list": ["bundle-id", "known"] + place,
    "channel show": ["bundle-id"] + place,
    "channel delete": ["bundle-id", "yes"] + place,
    "check": what + to + ["env", "strict"],
    "resume": ["now", "yes"] + place + ["results"],
    "work": ["stay"] + place + ["results", "history"],
    "history list": ["pushes", "limit", "since", "outcome", "reason", "token", "json"],
    "history stats": ["by", "since", "until", "env", "json"],
    "history export": ["format", "output", "html", "since", "outcome", "token"],
    "history resend": ["only", "reason"] + place + ["dry-run", "results"],
    "preview": what + to + ["step"],
    "simulate": what + ["output", "booted", "device"],
    "emulator": ["port", "inbox", "script", "journal", "ca-folder", "trust", "json"],
    "doctor": place + ["bundle-id", "self", "json"],
    "config show": ["env", "profile", "json"],
    "token": ["key", "key-id", "team-id", "no-token-cache", "profile"],
  ]

  private static let what = ["payload", "title", "body", "bundle-id"]
  private static let to = ["to", "tokens"]
  private static let place = ["env", "key", "team-id"]
}
