internal import Projects

/// Where in a file credentials are written.
struct CredentialSource {
  let file: String
  /// The way to them in the file, such as `credentials`.
  let path: String
  /// What names them, for people.
  let origin: String
  /// The profile that they are written in; nil when they are not.
  var profile: Profile?

  /// Where one of their keys stands.
  func place(of key: String) -> String {
    profile?.origin(of: "credentials.\(key)").text ?? file
  }
}

extension CredentialSource {
  init(_ profile: Profile) {
    file = profile.file
    path = "profiles.\(profile.name).credentials"
    origin = profile.origin(of: "credentials").text
    self.profile = profile
  }
}

/// A part of credentials as a layer says it: nothing of it was read.
struct CredentialPart {
  /// What it is.
  enum Value {
    case text(String)
    case place(SecretPlace)
  }

  /// What it is called in files.
  let name: String
  let value: Value
  /// The option, variable or place in a file that says it.
  let origin: String
}
