internal import COpenSSL

/// A failed OpenSSL call, which here means that memory ran out or the library is unusable.
struct OpenSSLFailure: Error, Sendable, Hashable {
  /// The function that failed.
  let call: String
  /// OpenSSL's own message; empty if it has none.
  let detail: String

  /// Takes the message from the newest entry of this thread's error queue, and empties the queue.
  init(_ call: String) {
    self.call = call
    detail = ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? ""
    ERR_clear_error()
  }
}

/// Returns the pointer, or throws if it is null.
func made(
  _ pointer: OpaquePointer?, by call: String
) throws(OpenSSLFailure) -> OpaquePointer {
  guard let pointer else { throw OpenSSLFailure(call) }
  return pointer
}

/// Throws unless the result is positive, which is how OpenSSL reports success.
func expect(_ result: Int32, from call: String) throws(OpenSSLFailure) {
  if result <= 0 { throw OpenSSLFailure(call) }
}

/// The DER that an `i2d` function writes. It is called once to measure and once to write.
func derBytes(
  _ call: String, _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) throws(OpenSSLFailure) -> [UInt8] {
  let count = encode(nil)
  try expect(count, from: call)
  return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
    var next = buffer.baseAddress
    written = max(0, Int(encode(&next)))
  }
}
