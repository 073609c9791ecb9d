internal import APNS
internal import JSONText

/// A message as it was written: spans of time count from no moment, so that it is the same at any.
struct WrittenMessage {
  let target: DraftTarget
  let fields: [(name: String, value: String)]
  let payload: [UInt8]
  let variables: [String: JSON]
}

extension WrittenMessage {
  /// - Parameter draft: the message, made as if it were 1970.
  init(_ draft: Draft, variables: [String: JSON]) {
    (target, self.variables) = (draft.target, variables)
    fields = draft.fields.map { ($0.name, $0.value) }
    payload = draft.payload?.bytes ?? []
  }

  /// The message of an earlier run.
  ///
  /// - Parameter expiration: what was written in place of its `apns-expiration`; nil keeps it.
  init(_ message: Message, expiration: String?) {
    (target, payload, variables) = (message.target, message.text, message.variables)
    fields = message.fields.map { field in
      let written = field.name == .expiration ? expiration : nil
      return (field.name.text, written ?? field.value)
    }
  }
}
