internal import CCurl

/// The one owner of a libcurl easy handle, and of what OpenSSL calls back into while it lives.
struct CurlHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  let tls: ClientTLS
  private let errorText: UnsafeMutablePointer<CChar>

  /// A fresh handle; nil when libcurl has no memory for one.
  init?(tls: ClientTLS) {
    guard let pointer = curl_easy_init() else { return nil }
    self.tls = tls
    self.pointer = pointer
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    set(CURLOPT_ERRORBUFFER, errorText)
  }

  deinit {
    curl_easy_cleanup(pointer)
    errorText.deallocate()
  }

  /// What libcurl has to say about its last failure; empty when it said nothing.
  var message: String { String(cString: errorText) }

  func set(_ option: CURLoption, _ value: Int) {
    _ = fanfare_curl_set_long(pointer, option, value)
  }

  func set(_ option: CURLoption, _ value: String) {
    _ = fanfare_curl_set_string(pointer, option, value)
  }

  func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    _ = fanfare_curl_set_pointer(pointer, option, value)
  }

  var socket: Int32 {
    var value: curl_socket_t = -1
    _ = fanfare_curl_get_socket(pointer, &value)
    return value
  }
}
