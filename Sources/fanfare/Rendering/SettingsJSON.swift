internal import JSONText

/// Settings for programs.
enum SettingsJSON {
  /// One object, with a line feed at the end.
  static func bytes(
    _ settings: [ShownSetting], _ files: [(path: String, isThere: Bool)]
  ) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.key("settings")
    json.beginObject()
    for setting in settings {
      json.key(setting.name)
      json.beginObject()
      json.member("value", setting.value)
      json.member("origin", setting.origin)
      json.endObject()
    }
    json.endObject()
    json.key("files")
    json.beginArray()
    for file in files {
      json.beginObject()
      json.member("path", file.path)
      json.key("isThere")
      json.bool(file.isThere)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endLine()
    return json.bytes
  }
}
