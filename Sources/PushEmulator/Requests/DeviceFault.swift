internal import APNS

// What APNs knows of a device, and says when a push is not for it.
extension Devices {
  /// The fewest digits of a token that an unknown device may have: no shorter one has been seen.
  private static let fewestDigits = 64

  /// What is wrong with the device that a push is for; nil when nothing is.
  func fault(
    of path: PushPath, topic: () -> String?, _ environment: EmulatorEnvironment
  ) -> RequestFault? {
    guard case .device(let token) = path else { return nil }
    if isEmpty { return Self.fault(ofUnknown: token) }
    guard let device = self[token] else {
      return RequestFault(
        .device,
        Refusal(
          reason: .badDeviceToken, note: "none of the emulator's devices has this token",
          fix: "Add the device to the emulator's, or remove them all so that it takes any token."))
    }
    return device.refusal(of: topic(), environment).map { RequestFault(.device, $0) }
  }

  private static func fault(ofUnknown token: DeviceToken) -> RequestFault? {
    let count = token.hex.utf8.count
    guard count < fewestDigits else { return nil }
    return RequestFault(
      .token,
      Refusal(
        reason: .badDeviceToken,
        note: "the device token has \(count) digits; none shorter than \(fewestDigits) are known",
        fix: "Use the whole token, or add a device with this one to the emulator's."))
  }
}

extension Device {
  fileprivate func refusal(of topic: String?, _ environment: EmulatorEnvironment) -> Refusal? {
    if let own = self.environment, own != environment {
      return Refusal(
        reason: .badDeviceToken, note: "the device token is for the \(own) environment",
        fix: "Send it to the \(own) environment.")
    }
    if let topic, topic != self.topic {
      return Refusal(
        reason: .deviceTokenNotForTopic, note: "the device token is for \(self.topic)",
        fix: "Use the token that the app registered for \(topic).")
    }
    return unregisteredAt.map {
      Refusal(
        reason: .unregistered,
        note: "unregistered since \(ISO8601.text(seconds: $0 / 1000))",
        fix: "Stop sending to this token until the app registers it again.", timestamp: $0)
    }
  }
}
