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
    let devices = try read(call, "devices") { object -> EmulatedDevices? in
      var devices = EmulatedDevices()
      if !object.has("devices") { _ = object.value("devices", isRequired: true) }
      for entry in object.objects("devices") {
        guard let device = EmulatedDevice(reading: entry) else { continue }
        if devices[device.token] != nil {
          entry.report("Another device has the same token.", fix: "Leave one of them out.")
        }
        devices[device.token] = device
      }
      if devices.count > EmulatedDevices.limit {
        object.report("There are more than \(EmulatedDevices.limit) devices.", fix: "Send fewer.")
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
  /// `{token: "0a1b…", topic: "com.example.shop", environment: "sandbox", unregisteredAt: 17000}`
  fileprivate init?(reading object: FileObject) {
    let token = object.text("token", isRequired: true).flatMap { text -> DeviceToken? in
      let token = try? DeviceToken(text)
      if token == nil {
        object.report(
          "token", JSON(.string(text)), "'token' is not a device token.",
          fix: "Write it in hexadecimal digits.")
      }
      return token
    }
    let topic = object.text("topic", isRequired: true)
    if let topic, (try? Topic(topic)) == nil {
      object.report(
        "topic", JSON(.string(topic)), "'topic' is neither a bundle ID nor a topic.",
        fix: "Write the app's bundle ID, such as com.example.shop.")
    }
    let environment = object.take("environment").flatMap { value in
      object.choice(
        value, "environment", among: EmulatorEnvironment.allCases.map { ($0.rawValue, $0) })
    }
    let unregisteredAt = object.integer("unregisteredAt", in: 0...Parameters.greatestID)
    object.refuseOtherKeys()
    guard let token, let topic else { return nil }
    self.init(
      token: token, topic: topic, environment: environment,
      unregisteredAt: unregisteredAt.map { Int64($0) })
  }

  fileprivate var json: JSON {
    var members: [(String, JSON)] = [("token", JSON(.string(token.hex)))]
    if let topic { members.append(("topic", JSON(.string(topic)))) }
    if let environment { members.append(("environment", JSON(.string(environment.rawValue)))) }
    if let unregisteredAt { members.append(("unregisteredAt", .number(Int(unregisteredAt)))) }
    return .object(members)
  }
}
