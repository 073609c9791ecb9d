internal import PlainText

/// Settings as a person reads them.
enum SettingsText {
  /// A table, and the files that were looked at.
  static func text(
    _ settings: [ShownSetting], _ files: [(path: String, isThere: Bool)], _ style: Style
  ) -> String {
    var table = TextTable(
      [("setting", .left), ("value", .left), ("from", .left)], style: style)
    for setting in settings {
      let origin = setting.origin ?? (setting.value == nil ? "" : "built in")
      let cells = [setting.name, setting.value ?? "-", origin]
      table.add(cells.map { ($0.printable, { $0 }) })
    }
    let looked = files.map { "\($0.path.printable)\($0.isThere ? "" : " (not there)")" }
    let places = looked.isEmpty ? "none" : looked.joined(separator: ", ")
    return table.text + "\nfiles: \(places)\n"
  }
}
