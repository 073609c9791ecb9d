internal import APNS

// APNs' knowledge of devices, and its refusals of pushes that do not fit them.
extension EmulatedDevices {
  /// The fewest digits in the token of an unknown device: no shorter ones have been seen.
  private static let fewestDigits = 64

  /// The fault of the device that a push is for; nil if there is none.
  func fault(
    of path: PushPath, topic: () -> String?, _ environment: EmulatorEnvironment
  ) -> RequestFault? {
    guard case .device(let token) = path else { return nil }
    if isEmpty { return Self.fault(ofUnknown: token) }
    guard let device = self[token] else {
      return RequestFault(
        .device,
        APNSRefusal(
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
      APNSRefusal(
        reason: .badDeviceToken,
        note: "the device token has \(count) digits; none shorter than \(fewestDigits) are known",
        fix: "Use the whole token, or add a device with this one to the emulator's."))
  }
}

extension EmulatedDevice {
  fileprivate func refusal(of topic: String?, _ environment: EmulatorEnvironment) -> APNSRefusal? {
    if let own = self.environment, own != environment {
      return APNSRefusal(
        reason: .badDeviceToken, note: "the device token is for the \(own) environment",
        fix: "Send it to the \(own) environment.")
    }
    if let topic, topic != self.topic {
      return APNSRefusal(
        reason: .deviceTokenNotForTopic, note: "the device token is for \(self.topic)",
        fix: "Use the token that the app registered for \(topic).")
    }
    return unregisteredAt.map {
      APNSRefusal(
        reason: .unregistered,
        note: "unregistered since \(ISO8601.text(seconds: $0 / 1000))",
        fix: "Stop sending to this token until the app registers it again.", timestamp: $0)
    }
  }
}
