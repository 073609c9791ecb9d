/// The version; CHANGELOG.md says what is in it.
let fanfareVersion = "0.1.0"

/// What `fanfare version` prints.
let versionText = "fanfare \(fanfareVersion)\n"
