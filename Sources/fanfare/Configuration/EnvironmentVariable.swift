/// The variables that fanfare reads: the layer below options and scenarios, and above profiles.
enum EnvironmentVariable: String, CaseIterable {
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

  /// What it stands for: the table in help and manual.
  var meaning: String {
    switch self {
    case .key:
      "The signing key: a path, PEM text (also on one line with \\n), or base64 of PEM or DER."
    case .keyID: "The id of the key in FANFARE_KEY."
    case .teamID: "The team of the key in FANFARE_KEY."
    case .keyPassword: "The password of a locked key, unless --key-password-file is given."
    case .certificate:
      "A client certificate with its key, in place of FANFARE_KEY: a path, PEM text, or base64."
    case .certificatePassword:
      "The password of a certificate or its key, unless --cert-password-file is given."
    case .bundleID: "Stands in for --bundle-id."
    case .environment: "Stands in for --env."
    case .server: "Stands in for --server."
    case .roots: "Stands in for --ca."
    case .history: "Stands in for --history."
    case .profile: "Stands in for --profile."
    }
  }
}

extension Context {
  /// The value of a variable; nil when it is not set, or empty.
  func value(_ variable: EnvironmentVariable) -> String? {
    environment[variable.rawValue].flatMap { $0.isEmpty ? nil : $0 }
  }
}
