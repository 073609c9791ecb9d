@testable import HTTP2

/// A request as a value; the default is one that APNs accepts.
struct RequestSample: Sendable {
  var method = "POST"
  var path = "/3/device/" + deviceToken
  var fields: [(String, String)] = [
    ("authorization", "bearer x.y.z"), ("apns-topic", "com.example.shop"),
    ("apns-push-type", "alert"), ("apns-id", "123e4567-e89b-42d3-a456-426614174000"),
    ("apns-expiration", "0"), ("apns-priority", "10"), ("apns-collapse-id", "order"),
  ]
  var body = Array(#"{"aps":{"alert":"Hello"}}"#.utf8)

  static let deviceToken = String(repeating: "0a1b2c3d", count: 8)

  /// The sample with a header set, or without it.
  func with(_ name: String, _ value: String?) -> RequestSample {
    var sample = self
    sample.fields.removeAll { $0.0 == name }
    if let value { sample.fields.append((name, value)) }
    return sample
  }

  func with(path: String) -> RequestSample {
    var sample = self
    sample.path = path
    return sample
  }

  func with(method: String) -> RequestSample {
    var sample = self
    sample.method = method
    return sample
  }

  func with(body: String) -> RequestSample {
    var sample = self
    sample.body = Array(body.utf8)
    return sample
  }

  /// The sample with a header twice.
  func repeating(_ name: String) -> RequestSample {
    var sample = self
    sample.fields += sample.fields.filter { $0.0 == name }
    return sample
  }

  /// The sample as the server sees it.
  var request: ServerRequest {
    let request = ServerRequest()
    request.reset(stream: 1)
    let pseudo = [(":method", method), (":scheme", "https"), (":path", path)]
    for (name, value) in pseudo + fields {
      Array(name.utf8).withUnsafeBufferPointer { name in
        Array(value.utf8).withUnsafeBufferPointer { value in
          request.headers.append(name: name, value: value)
        }
      }
    }
    body.withUnsafeBufferPointer { request.receiveBody($0) }
    return request
  }
}
