package import APNS
package import JSONText

// As the history keeps them.
extension Settings {
  /// What is repeated when the run is taken up: no secret, and nothing that holds for one command.
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

  /// Settings that the history kept; nil when this version does not know them. What is never kept is
  /// ignored: it was not written by this tool.
  ///
  /// - Parameters:
  ///   - origin: the run.
  ///   - path: makes a path as it was given into one from here.
  package init?(json: JSON, from origin: Origin = .storedRun, path: (String) -> String) {
    guard let members = json.object?.members else { return nil }
    self.init()
    for member in members {
      guard let field = Self.fields.first(where: { $0.name == member.key }),
        !field.isKept || field.read(&self, member.value, origin, path)
      else { return nil }
    }
  }

  /// Of the settings that were kept of a run in the queue, those that workers take from it; nil when
  /// this version does not know what one of them says. Whatever else is there is not looked at.
  package init?(forWorkers json: JSON) {
    guard let members = json.object?.members else { return nil }
    self.init()
    for member in members {
      let field = Self.fields.first { $0.isForWorkers && $0.name == member.key }
      if let field, !field.read(&self, member.value, .storedRun, { $0 }) { return nil }
    }
  }
}
