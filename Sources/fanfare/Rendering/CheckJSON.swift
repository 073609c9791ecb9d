internal import APNS
internal import JSONText
internal import PushModel
internal import Recipients

/// What `check` found, as `--json` prints it.
enum CheckJSON {
  /// One line of JSON.
  static func bytes(_ checked: [CheckedFile], errorsOnly: Bool) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.key("files")
    json.beginArray()
    for file in checked { write(file, errorsOnly, to: &json) }
    json.endArray()
    json.member("errors", checked.map(\.errors).reduce(0, +))
    json.member("warnings", checked.map(\.warnings).reduce(0, +))
    json.endObject()
    json.endLine()
    return json.bytes
  }

  private static func write(
    _ file: CheckedFile, _ errorsOnly: Bool, to json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("file", file.file)
    json.member("kind", file.kind?.rawValue)
    if let list = file.list {
      write(list, to: &json)
    } else if file.kind != nil {
      json.member("type", file.pushType)
      json.member("bytes", file.bytes)
      json.key("variables")
      json.value(JSON(.array(file.variables.map { JSON(.string($0)) })))
    }
    json.key("problems")
    json.beginArray()
    for problem in file.problems where !errorsOnly || problem.severity == .error {
      problem.write(to: &json)
    }
    json.endArray()
    json.endObject()
  }

  private static func write(_ list: ListCheck, to json: inout JSONWriter) {
    json.member("lines", list.counts.lines)
    json.member("tokens", list.tokens)
    json.member("badLines", list.counts.badLines)
    json.member("duplicates", list.counts.duplicates)
    json.member("suppressed", list.counts.suppressed)
    json.member("otherShards", list.counts.otherShards)
  }
}

extension Problem {
  /// Appends the problem as a JSON object, in the form of docs/formats.md.
  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("severity", severity.rawValue)
    json.member("rule", rule)
    json.member("file", file)
    json.member("line", line)
    json.member("column", column)
    json.member("path", place.description)
    json.member("message", message)
    json.member("fix", fix)
    json.endObject()
  }
}
