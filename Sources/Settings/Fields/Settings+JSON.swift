package import APNS
package import JSONText

// The form in the history.
extension Settings {
  /// The settings to repeat when the run is resumed, without secrets and one-time settings.
  package var kept: JSON {
    JSON(
      .object(
        JSONObject(
          Self.fields.compactMap { field in
            guard let setting = field.setting(self) else { return nil }
            let isKept =
              field.keeping == .repeated
              || field.keeping == .repeatedIfOption && setting.origin.isOptionOrStored
            let json = setting.value.json
            return isKept && json.content != .null ? JSONMember(key: field.name, value: json) : nil
          })))
  }

  /// Reads settings from the history; nil when this version does not know them. Values that are
  /// never stored are ignored, because this tool did not write them.
  ///
  /// - Parameters:
  ///   - origin: the run.
  ///   - path: resolves a stored path to one from the working folder.
  package init?(json: JSON, from origin: Origin = .storedRun, path: (String) -> String) {
    guard let members = json.object?.members else { return nil }
    self.init()
    for member in members {
      guard let field = Self.fields.first(where: { $0.name == member.key }),
        !field.isKept || field.read(&self, member.value, origin, path)
      else { return nil }
    }
  }

  /// Reads the stored settings of a queued run that workers take from it; nil when this version
  /// does not understand one of them. All others are ignored.
  package init?(forWorkers json: JSON) {
    guard let members = json.object?.members else { return nil }
    self.init()
    for member in members {
      let field = Self.fields.first { $0.isForWorkers && $0.name == member.key }
      if let field, !field.read(&self, member.value, .storedRun, { $0 }) { return nil }
    }
  }
}

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
