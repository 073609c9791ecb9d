internal import APNS
internal import JSONText
internal import PushEmulator
internal import WebServer

// Calls for the emulator's devices.
extension InboxAPI {
  func devices(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    return list(emulator.devices)
  }

  func setDevices(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    let devices = try read(call, "devices", as: EmulatedDevice.list) { body in
      var devices = EmulatedDevices()
      for entry in body["devices"].elements {
        guard let device = EmulatedDevice(reading: entry) else { continue }
        if devices[device.token] != nil {
          entry.report("Another device has the same token.", fix: "Leave one of them out.")
        }
        devices[device.token] = device
      }
      if devices.count > EmulatedDevices.limit {
        body.report("There are more than \(EmulatedDevices.limit) devices.", fix: "Send fewer.")
      }
      return devices
    }
    emulator.changeDevices { $0 = devices }
    return list(devices)
  }

  func forgetDevices(_ call: Route.Call) throws(HTTPRefusal) -> HTTPResponse {
    try Parameters(call.request).refuseOthers()
    emulator.changeDevices { $0 = EmulatedDevices() }
    return list(EmulatedDevices())
  }

  private func list(_ devices: EmulatedDevices) -> HTTPResponse {
    HTTPResponse(.json(.object([("devices", JSON(.array(devices.all.map(\.json))))])))
  }
}

extension EmulatedDevice {
  fileprivate static let list = FileShape.object(
    FileKey(
      "devices",
      .array(
        .object(
          FileKey("token", .form(tokenForm), isRequired: true, help: "The device token."),
          FileKey("topic", .form(topicForm), isRequired: true, help: "The app's topic."),
          FileKey(
            "environment", .word(EmulatorEnvironment.allCases.map(\.rawValue)),
            help: "Where the token is good."),
          FileKey(
            "unregisteredAt", .integer(0...Parameters.greatestID),
            help: "When the app was removed, in milliseconds since 1970."))), isRequired: true,
      help: "All devices."))

  private static let tokenForm = TextForm(
    "a device token", "'token' is not a device token.", fix: "Write it in hexadecimal digits."
  ) { (try? DeviceToken($0)) != nil }

  private static let topicForm = TextForm(
    "a topic", "'topic' is neither a bundle ID nor a topic.",
    fix: "Write the app's bundle ID, such as com.example.shop."
  ) { (try? Topic($0)) != nil }

  /// `{token: "0a1b…", topic: "com.example.shop", environment: "sandbox", unregisteredAt: 17000}`
  fileprivate init?(reading device: FileValue) {
    guard let token = device["token"].text.flatMap({ try? DeviceToken($0) }),
      let topic = device["topic"].text
    else { return nil }
    self.init(
      token: token, topic: topic,
      environment: device["environment"].text.flatMap { EmulatorEnvironment(rawValue: $0) },
      unregisteredAt: device["unregisteredAt"].int.map { Int64($0) })
  }

  fileprivate var json: JSON {
    var members: [(String, JSON)] = [("token", JSON(.string(token.hex)))]
    if let topic { members.append(("topic", JSON(.string(topic)))) }
    if let environment { members.append(("environment", JSON(.string(environment.rawValue)))) }
    if let unregisteredAt { members.append(("unregisteredAt", .number(Int(unregisteredAt)))) }
    return .object(members)
  }
}
