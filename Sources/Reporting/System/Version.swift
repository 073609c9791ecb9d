/// The version; CHANGELOG.md says what is in it.
package let fanfareVersion = "0.1.0"

/// What `fanfare version` prints.
package let versionText = "fanfare \(fanfareVersion)\n"
