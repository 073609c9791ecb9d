internal import APNS
internal import JSONText

/// What `inspect` tells, as `--json` prints it.
enum InspectJSON {
  /// An array with an object for each file.
  static func bytes(_ files: [any Inspected]) -> [UInt8] {
    var json = JSONWriter(.pretty)
    json.beginArray()
    for file in files { file.write(to: &json) }
    json.endArray()
    json.endLine()
    return json.bytes
  }

  static func write(_ facts: PayloadFacts, to json: inout JSONWriter) {
    json.beginObject()
    json.member("file", facts.file)
    json.member("kind", "payload")
    json.member("bytes", facts.bytes)
    json.key("limits")
    json.beginArray()
    for limit in PayloadFacts.limits { write(limit, bytes: facts.bytes, to: &json) }
    json.endArray()
    json.member("type", facts.type?.rawValue)
    json.member("typeSource", facts.typeSource?.rawValue)
    json.member("targetBundle", facts.target)
    json.key("variables")
    json.value(JSON(.array(facts.variables.map { JSON(.string($0)) })))
    writeKeys("appleKeys", "meaning", facts.appleKeys.map { ($0.path, $0.summary) }, to: &json)
    writeKeys("ownKeys", "kind", facts.ownKeys.map { ($0.key, $0.kind) }, to: &json)
    json.key("banner")
    writeBanner(facts.banner, to: &json)
    json.member("silence", facts.silence)
    json.endObject()
  }

  private static func write(
    _ limit: PayloadFacts.Limit, bytes: Int, to json: inout JSONWriter
  ) {
    json.beginObject()
    json.member("name", limit.name)
    json.member("bytes", limit.bytes)
    json.key("fits")
    json.bool(bytes <= limit.bytes)
    json.endObject()
  }

  private static func writeKeys(
    _ name: String, _ label: String, _ rows: [(key: String, text: String?)],
    to json: inout JSONWriter
  ) {
    json.key(name)
    json.beginArray()
    for row in rows {
      json.beginObject()
      json.member("key", row.key)
      json.member(label, row.text)
      json.endObject()
    }
    json.endArray()
  }

  private static func writeBanner(_ banner: Banner?, to json: inout JSONWriter) {
    guard let banner else { return json.null() }
    json.beginObject()
    json.member("title", banner.title)
    json.member("subtitle", banner.subtitle)
    json.key("body")
    json.beginArray()
    for line in banner.body { json.string(line) }
    json.endArray()
    json.endObject()
  }
}
