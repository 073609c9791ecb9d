import APNS
import JSONText

extension Draft {
  /// A draft that breaks no rule unless the arguments make it.
  static func sample(
    topic: String = "com.example.shop", type: String = "alert", fields: [DraftField] = [],
    payload: JSON = ["aps": ["alert": "Your order is on its way."]]
  ) -> Draft {
    Draft(
      fields: [DraftField(.topic, topic), DraftField(.pushType, type)] + fields,
      payload: DraftPayload(payload, bytes: payload.encoded(), file: "order.json"))
  }

  /// The same, with a payload of this text.
  static func sample(
    topic: String = "com.example.shop", type: String = "alert", text: String
  ) -> Draft {
    var draft = sample(topic: topic, type: type)
    draft.payload = DraftPayload(reading: Array(text.utf8), file: "order.json")
    return draft
  }
}
