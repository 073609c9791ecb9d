internal import COpenSSL

/// OpenSSL's error queue of the current thread.
enum OpenSSLErrors {
  /// Returns true if no loaded provider has a requested algorithm. Empties the queue.
  static func sayUnsupported() -> Bool {
    var isUnsupported = false
    while case let code = ERR_get_error(), code != 0 {
      isUnsupported = isUnsupported || fanfare_err_is_unsupported(code) != 0
    }
    return isUnsupported
  }

  /// Returns true if a PEM reader stopped because there are no more blocks. Empties the queue.
  static func sayEndOfPEM() -> Bool {
    defer { ERR_clear_error() }
    return fanfare_err_is_end_of_pem(ERR_peek_last_error()) != 0
  }
}

/// Calls one of OpenSSL's `d2i` functions on these bytes.
func decoded<Value>(
  _ der: UnsafeRawBufferPointer,
  _ decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int) -> Value?
) -> Value? {
  var next = der.bindMemory(to: UInt8.self).baseAddress
  return decode(&next, der.count)
}
