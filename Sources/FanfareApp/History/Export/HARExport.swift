internal import History
internal import JSONText

/// Requests and answers as an HTTP Archive, HAR 1.2. Provider tokens are in no history, so the field
/// `authorization` is left out.
struct HARExport: PushExport {
  let needsRequest = true
  let tail = Array("\n]}}\n".utf8)
  private var isFirst = true

  var head: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("name", "fanfare")
    json.member("version", fanfareVersion)
    json.endObject()
    let creator = String(decoding: json.bytes, as: UTF8.self)
    return Array(#"{"log":{"version":"1.2","creator":\#(creator),"pages":[],"entries":["#.utf8)
  }

  /// Nothing of a push that was never sent.
  mutating func bytes(
    of push: PushEntry, in stored: StoredRun, _ request: StoredRequest?
  ) -> [UInt8] {
    guard push.mayHaveBeenSent, let request else { return [] }
    defer { isFirst = false }
    let entry = HAREntry(push: push, stored: stored, request: request)
    return Array((isFirst ? "\n" : ",\n").utf8) + entry.bytes
  }
}
