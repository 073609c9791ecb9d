package import APNS
package import JSONText

// The form in the history.
extension Settings {
  /// The settings to repeat when the run is resumed, without secrets and one-time settings.
  package var kept: JSON {
    Self.fields.compactMap { field -> JSONMember? in
      guard let setting = field.setting(self) else { return nil }
      let isKept =
        field.keeping == .repeated
        || field.keeping == .repeatedIfOption && setting.origin.isOptionOrStored
      let json = setting.value.json
      return isKept && json.content != .null ? JSONMember(key: field.name, value: json) : nil
    }.object
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
