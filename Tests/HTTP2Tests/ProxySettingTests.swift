import HTTP2
import Testing

@Suite("A proxy setting")
struct ProxySettingTests {
  struct Row: CustomTestStringConvertible {
    var exceptions: String
    var excepted: [String]
    var others: [String]
    var testDescription: String { "'\(exceptions)'" }
  }

  // The rules of https://curl.se/docs/manpage.html#--noproxy
  static let rows = [
    Row(exceptions: "", excepted: [], others: ["a.example", "10.0.0.1"]),
    Row(exceptions: "*", excepted: ["a.example", "10.0.0.1", "::1"], others: []),
    Row(exceptions: "a.example,*", excepted: ["a.example"], others: ["b.example"]),
    Row(
      exceptions: "push.apple.com",
      excepted: ["push.apple.com", "API.push.Apple.com", "x.push.apple.com."],
      others: ["apple.com", "notpush.apple.com", "push.apple.com.example"]),
    Row(exceptions: ".local", excepted: ["local", "a.local"], others: ["alocal"]),
    Row(exceptions: "a.example.", excepted: ["a.example", "b.a.example"], others: ["example"]),
    Row(exceptions: "a, b\tc  d", excepted: ["a", "b", "c", "d"], others: ["e"]),
    Row(exceptions: "., ,", excepted: [], others: ["a", "10.0.0.1"]),
    Row(exceptions: "10.0.0.1", excepted: ["10.0.0.1"], others: ["110.0.0.1", "10.0.0.10"]),
    Row(
      exceptions: "10.1.0.0/15,192.168.0.0/16", excepted: ["10.0.255.1", "192.168.9.9"],
      others: ["10.2.0.1", "192.169.0.1", "10.1"]),
    Row(exceptions: "10.0.0.0/33,1.1.1.1/x", excepted: [], others: ["10.0.0.0", "1.1.1.1"]),
    Row(exceptions: "10.0.0.1/0", excepted: ["10.0.0.1"], others: ["10.0.0.2"]),
    Row(
      exceptions: "fd00::/8,::1", excepted: ["fd12::1", "::1", "0:0:0:0:0:0:0:1"],
      others: ["fe80::1", "::2", "127.0.0.1"]),
  ]

  @Test("leaves out the hosts that curl leaves out", arguments: rows)
  func exceptions(_ row: Row) {
    let setting = ProxySetting(url: "http://p:1", exceptions: row.exceptions)
    for host in row.excepted { #expect(!setting.applies(to: host), "\(host)") }
    for host in row.others { #expect(setting.applies(to: host), "\(host)") }
  }

  @Test("that is empty is for no host")
  func none() {
    #expect(!ProxySetting(url: "").applies(to: "a.example"))
    #expect(DialTarget(host: "a.example", proxy: ProxySetting(url: "")).proxyInUse == nil)
    #expect(DialTarget(host: "a.example", proxy: ProxySetting(url: "p:1")).proxyInUse != nil)
  }

  @Test(
    "shows scheme, host and port, and never who logs in",
    arguments: [
      ("http://me:secret@p.example:3128/", "http://p.example:3128"),
      ("p.example", "http://p.example:1080"),
      ("socks5h://me@[::1]:9", "socks5h://[::1]:9"), ("socks://p", "socks4://p:1080"), ("", "none"),
      ("me:sec/ret@p", "a URL that cannot be read"),
      ("http://ada:Top@Zecret/pw@127.0.0.1:9", "a URL that cannot be read"),
      ("http://ada:1#Zecret@127.0.0.1:9", "a URL that cannot be read"),
      ("http://ada:1?Zecret@127.0.0.1:9", "a URL that cannot be read"),
      ("ada:x://Zecret@127.0.0.1:9", "a URL that cannot be read"),
      ("http://ada:Top@Zecret@127.0.0.1:9", "a URL that cannot be read"),
      ("http://ada:Top%40Zecret%2Fpw:@127.0.0.1:9", "http://127.0.0.1:9"),
      ("https://p", "a URL that cannot be read"),
    ])
  func description(_ row: (url: String, text: String)) {
    #expect("\(ProxySetting(url: row.url))" == row.text)
    #expect(ProxyURL(row.url).map { "\($0)" } ?? row.text == row.text)
  }

  @Test(
    "cuts user name and password off a URL, or shows nothing of it",
    arguments: [
      ("http://me:secret@p:1", "…@p:1"), ("me:secret@p", "…@p"), ("http://p:1/x", "http://p:1/x"),
      ("http://me:se/cret@p", "…"), ("http://me:se@cret@p", "…"), ("http://p/x@y", "…"), ("", ""),
    ])
  func cut(_ row: (url: String, text: String)) { #expect(URLLogin.cut(from: row.url) == row.text) }

  @Test("knows whether a password is in its URL")
  func password() {
    #expect(ProxyURL("http://me:secret@p:1")?.hasPassword == true)
    #expect(ProxyURL("http://me@p:1")?.hasPassword == false)
  }

  @Test(
    "needs a URL that libcurl reads",
    arguments: ["gopher://p", "http://", "http://p:0", "http://p:99999", "http://a b", "://", ""])
  func unreadable(url: String) { #expect(ProxyURL(url) == nil) }
}
