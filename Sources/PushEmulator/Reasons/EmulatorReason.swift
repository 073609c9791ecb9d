public import APNS

/// A reason that the emulator gives where it is not known which one APNs gives.
public struct EmulatorReason: Sendable, Hashable {
  /// The reason.
  public let reason: Reason
  /// What went wrong, in one line.
  public let meaning: String
  /// What to do about it.
  public let advice: String

  /// All of them; each comes with status 400.
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
  /// Not APNs' word: the body is not JSON, or nests too deeply for the emulator. Which reason APNs
  /// gives then is not known.
  static let emulatorPayloadNotJSON =
    Reason(rawValue: "EmulatorPayloadNotJSON") ?? .badRequestPayload

  /// Not APNs' word: the body is JSON, but no object.
  static let emulatorPayloadNotObject =
    Reason(rawValue: "EmulatorPayloadNotObject") ?? .badRequestPayload

  /// Not APNs' word: the headers are longer than the emulator keeps.
  static let emulatorHeadersTooLong =
    Reason(rawValue: "EmulatorHeadersTooLong") ?? .badRequestPayload
}
