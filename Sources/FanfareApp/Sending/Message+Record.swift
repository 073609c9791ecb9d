internal import APNS
internal import JSONText
internal import Projects
internal import PushModel

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

  /// When the notification expires, in seconds since 1970; nil when it says nothing, or that it is
  /// tried only once.
  var expiresAt: Int64? { self[.expiration].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil } }

  /// What a run sends that is resumed, or whose pushes are sent again. Its rules were judged when it
  /// began.
  ///
  /// - Parameter expiration: a value of `apns-expiration` in place of the run's; nil leaves that.
  /// - Throws: `Failure.damagedRun` when the history does not hold what this version wrote.
  init(
    _ record: RunRecord, _ settings: RunSettings, expiration: DraftField? = nil,
    in context: RuleContext
  ) throws(Failure) {
    guard let headers = Self.object(record.headers), let variables = Self.object(record.variables)
    else { throw .damagedRun }
    var draft = Draft(payload: DraftPayload(reading: Array(record.payload.utf8)))
    draft.fields = headers.members.compactMap { member in
      member.value.string.map { DraftField(member.key, $0) }
    }
    if let expiration { draft[.expiration] = expiration }
    let values = Dictionary(variables.members.map { ($0.key, $0.value) }) { first, _ in first }
    if !settings.isTemplate {
      try self.init(asItStands: draft, in: context)
    } else if settings.resends != nil {
      try self.init(rowsOf: draft, variables: values, in: context)
    } else {
      try self.init(draft, variables: values, in: context, force: true)
    }
  }

  private static func object(_ text: String) -> JSONObject? {
    (try? JSONReader().read(Array(text.utf8)))?.object
  }

  private subscript(name: HeaderName) -> String? { fields.first { $0.name == name }?.value }
}
