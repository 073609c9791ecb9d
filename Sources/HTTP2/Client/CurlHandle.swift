internal import CCurl

/// The unique owner of a libcurl easy handle, and of the object its OpenSSL callbacks use.
struct CurlHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  let tls: ClientTLS
  private let errorText: UnsafeMutablePointer<CChar>

  /// Creates a handle; nil if libcurl is out of memory.
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

  /// libcurl's message about its last failure; empty if there is none.
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

  /// A number reported by libcurl; 0 if unknown.
  func number(_ info: CURLINFO) -> Int {
    var value = 0
    _ = fanfare_curl_get_long(pointer, info, &value)
    return value
  }

  /// A time since the start of the transfer, reported by libcurl; 0 if unknown.
  func microseconds(_ info: CURLINFO) -> Int64 {
    var value: Int64 = 0
    _ = fanfare_curl_get_microseconds(pointer, info, &value)
    return value
  }

  /// A string reported by libcurl; nil if unknown.
  func text(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard fanfare_curl_get_string(pointer, info, &value) == CURLE_OK else { return nil }
    return value.map { String(cString: $0) }
  }
}
