public import APNS

/// A reason of the emulator's own, used where the one APNs gives is unknown.
public struct EmulatorReason: Sendable, Hashable {
  /// The reason.
  public let reason: Reason
  /// The problem, in one line.
  public let meaning: String
  /// The fix.
  public let advice: String

  /// All of the emulator's reasons, each with status 400.
  public static let table = [
    Self(
      reason: .emulatorPayloadNotJSON,
      meaning: "The emulator cannot read the payload as JSON.",
      advice: "Check the payload with 'fanfare check'."),
    Self(
      reason: .emulatorPayloadNotObject, meaning: "The payload is JSON, but not an object.",
      advice: "Send an object with the key aps."),
    Self(
      reason: .emulatorHeadersTooLong, meaning: "The headers are longer than the emulator reads.",
      advice: "Shorten the headers."),
  ]
}

extension Reason {
  /// A reason not in APNs: the body is not JSON, or nested too deeply for the emulator. The reason
  /// APNs gives for this is unknown.
  static let emulatorPayloadNotJSON =
    Reason(rawValue: "EmulatorPayloadNotJSON") ?? .badRequestPayload

  /// A reason not in APNs: the body is JSON, but not an object.
  static let emulatorPayloadNotObject =
    Reason(rawValue: "EmulatorPayloadNotObject") ?? .badRequestPayload

  /// A reason not in APNs: the headers are longer than the emulator stores.
  static let emulatorHeadersTooLong =
    Reason(rawValue: "EmulatorHeadersTooLong") ?? .badRequestPayload
}
