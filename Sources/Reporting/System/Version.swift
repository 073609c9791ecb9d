/// The version, described in CHANGELOG.md.
package let fanfareVersion = "0.1.0"

/// The output of `fanfare version`.
package let versionText = "fanfare \(fanfareVersion)\n"
