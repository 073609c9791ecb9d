/// The variables of fanfare: the layer below options and scenarios, and above profiles.
package enum EnvironmentVariable: String, CaseIterable {
  case key = "FANFARE_KEY"
  case keyID = "FANFARE_KEY_ID"
  case teamID = "FANFARE_TEAM_ID"
  case keyPassword = "FANFARE_KEY_PASSWORD"
  case certificate = "FANFARE_CERT"
  case certificatePassword = "FANFARE_CERT_PASSWORD"
  case bundleID = "FANFARE_BUNDLE_ID"
  case environment = "FANFARE_ENV"
  case server = "FANFARE_SERVER"
  case roots = "FANFARE_CA"
  case history = "FANFARE_HISTORY"
  case profile = "FANFARE_PROFILE"
  case trustProject = "FANFARE_TRUST_PROJECT"

  /// The value is always a path.
  var isPath: Bool { self == .roots || self == .history }

  /// The purpose of the variable, in help and manual.
  package var meaning: String {
    switch self {
    case .key:
      "The signing key: a path, PEM text (also on one line with \\n), or base64 of PEM or DER."
    case .keyID: "The key ID of the key in FANFARE_KEY."
    case .teamID: "The team ID of the key in FANFARE_KEY."
    case .keyPassword: "The password of an encrypted key, unless --key-password-file is given."
    case .certificate:
      "A client certificate with its key, instead of FANFARE_KEY: a path, PEM text, or base64."
    case .certificatePassword:
      "The password of a certificate or its key, unless --cert-password-file is given."
    case .bundleID: "Used if --bundle-id is not given."
    case .environment: "Used if --env is not given."
    case .server: "Used if --server is not given."
    case .roots: "Used if --ca is not given."
    case .history: "Used if --history is not given."
    case .profile: "Used if --profile is not given."
    case .trustProject: "1 has the effect of --trust-project."
    }
  }
}
