package import APNS
internal import JSONText

// Fanfare 0.1 stored command-line arguments instead of settings.
extension Settings {
  /// Parses such arguments; nil when one of them is unknown.
  ///
  /// - Parameters:
  ///   - origin: the run.
  ///   - path: resolves a stored path to one from the working folder.
  package init?(words: [String], from origin: Origin, path: (String) -> String) {
    self.init()
    var words = words[...]
    while let word = words.popFirst() {
      if let (name, value) = Self.flags[word] {
        guard read(name, JSON(.bool(value)), origin, path) else { return nil }
      } else if let name = Self.options[word], let value = words.popFirst() {
        guard read(name, JSON(.string(value)), origin, path) else { return nil }
      } else {
        return nil
      }
    }
  }

  private mutating func read(
    _ name: String, _ json: JSON, _ origin: Origin, _ path: (String) -> String
  ) -> Bool {
    Self.fields.first { $0.name == name }?.read(&self, json, origin, path) ?? false
  }

  private static let flags: [String: (name: String, value: Bool)] = [
    "--at-most-once": ("atMostOnce", true), "--no-breaker": ("breaker", false),
    "--keep-payloads": ("keepPayloads", true),
  ]

  private static let options = [
    "--tokens-format": "tokensFormat", "--duplicates": "duplicates", "--limit": "limit",
    "--shard": "shard", "--timeout": "timeout", "--retries": "retries",
    "--retry-delay": "retryDelay", "--connections": "connections", "--rate": "rate",
    "--env": "environment", "--server": "environment", "--ca": "ca", "--profile": "profile",
    "--key": "key", "--key-id": "keyID", "--team-id": "teamID",
    "--key-password-file": "passwordFile", "--cert": "cert", "--cert-key": "certKey",
    "--cert-password-file": "passwordFile",
  ]
}
