internal import APNS
internal import HTTP2
internal import JSONText

/// The body of a request to create a channel: an object with exactly two members.
struct ChannelOrder {
  private static let policyKey = StoragePolicy.key
  private static let typeKey = ChannelRequest.pushTypeKey

  /// The new channel's storage policy.
  let policy: StoragePolicy
  /// An additional note for people; nil for none.
  let note: String?

  /// Reads the body of a request.
  init(_ request: ServerRequest) throws(APNSRefusal) {
    let object = try Self.object(request)
    if let key = object.keys.first(where: { $0 != Self.policyKey && $0 != Self.typeKey }) {
      throw APNSRefusal(
        reason: .badRequestParams, note: "the body has the unknown member \"\(key)\"",
        fix: "Send \(Self.policyKey) and \(Self.typeKey), and nothing else.")
    }
    policy = try Self.policy(object[Self.policyKey])
    note = try Self.note(onType: object[Self.typeKey])
  }

  private static func object(_ request: ServerRequest) throws(APNSRefusal) -> JSONObject {
    if request.bodyCount == 0 { throw APNSRefusal(reason: .payloadEmpty) }
    if request.bodyCount > request.body.count { throw APNSRefusal(reason: .payloadTooLarge) }
    guard let json = try? JSONReader().read(request.body) else {
      throw APNSRefusal(reason: .badRequestPayload, note: "the body is not JSON")
    }
    guard let object = json.object else {
      throw APNSRefusal(
        reason: .badRequestPayload, note: "the body is not an object",
        fix: "Send an object with \(policyKey) and \(typeKey).")
    }
    return object
  }

  private static func policy(_ value: JSON?) throws(APNSRefusal) -> StoragePolicy {
    if let policy = value?.number?.int.flatMap(StoragePolicy.init(rawValue:)) { return policy }
    throw APNSRefusal(
      reason: .missingChannelQueueSize,
      note: "\(policyKey) is \(value == nil ? "missing" : "neither 0 nor 1")",
      fix: "Send the number 0 to store nothing, or 1 to store the latest push.")
  }

  /// Accepts any case, because libraries write the push type in lowercase, as in a header.
  private static func note(onType value: JSON?) throws(APNSRefusal) -> String? {
    guard let value else { throw APNSRefusal(reason: .missingPushType) }
    let wanted = ChannelRequest.pushType
    guard let text = value.string, text.lowercased() == wanted.lowercased() else {
      throw APNSRefusal(
        reason: .invalidPushType, note: "a channel has the \(typeKey) \(wanted)",
        fix: "Send \(wanted).")
    }
    return text == wanted
      ? nil : "Apple documents the \(typeKey) \(wanted); that other case passes is not known"
  }
}
