internal import APNS
internal import JSONText
internal import PushCore

extension Message {
  /// What the history keeps of what is sent.
  func write(to record: inout RunRecord) {
    var headers = JSONWriter()
    headers.beginObject()
    for field in fields { headers.member(field.name.text, field.value) }
    headers.endObject()
    record.headers = String(decoding: headers.bytes, as: UTF8.self)
    record.payload = String(decoding: text, as: UTF8.self)
    record.variables = JSON(
      .object(JSONObject(variables.map { JSONMember(key: $0.key, value: $0.value) }))
    ).encodedString(.compact)
    record.pushType = self[.pushType]
    record.topic = self[.topic]
    record.expiration = self[.expiration].flatMap { Int64($0) }
  }

  private subscript(name: HeaderName) -> String? { fields.first { $0.name == name }?.value }
}
