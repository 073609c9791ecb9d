import Credentials
import Foundation
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("The cache of provider tokens", .timeLimit(.minutes(15)))
struct ProviderTokenCacheTests {
  /// Seconds that a test moves as it likes.
  private final class Seconds: Sendable {
    private let value = Atomic<Int64>(1_700_000_000)
    var now: Int64 {
      get { value.load(ordering: .relaxed) }
      set { value.store(newValue, ordering: .relaxed) }
    }
  }

  private let seconds = Seconds()
  private let folder: KeptFolder
  private let key: [UInt8]
  private var path: String { folder.path(of: "cache/fanfare") }

  init() throws {
    folder = try KeptFolder.withKey()
    key = try folder.bytes("AuthKey.p8")
  }

  /// As another process would ask.
  private func source(
    _ contents: [UInt8]? = nil, password: String? = nil, keyID: String = "ABC123DEFG",
    teamID: String = "DEF123GHIJ", folder: String? = nil, patience: Int = 30_000
  ) throws -> ProviderTokenSource {
    try ProviderTokenSource(
      contents: SecretBytes(bytes: contents ?? key), password: password.map { SecretBytes($0) },
      keyID: KeyID(keyID), teamID: TeamID(teamID),
      cache: ProviderTokenCache(folder: folder ?? path, patienceMilliseconds: patience),
      now: { [seconds] in seconds.now })
  }

  private func entries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "lock" }
  }

  private func entry() throws -> String {
    "\(path)/\(try #require(entries().first))"
  }

  @Test("A token is shared for 50 minutes, then there is a new one")
  func age() throws {
    let first = try source().token()
    seconds.now += 50 * 60 - 1
    #expect(try source().token() == first)
    seconds.now += 1
    let second = try source().token()
    #expect(second.issuedAt == seconds.now)
    #expect(try source().token() == second)
    #expect(try entries().count == 1)
  }

  @Test("What comes out of the cache is the token that went in, and OpenSSL verifies it")
  func verified() throws {
    _ = try source().token()
    let parts = try source().token().text.split(separator: ".")
    let plain = String(parts[2].replacing("-", with: "+").replacing("_", with: "/")) + "=="
    let signature = [UInt8](try #require(Data(base64Encoded: plain)))
    try verify(signature, of: Array("\(parts[0]).\(parts[1])".utf8), in: folder)
  }

  @Test("A token from the future is replaced")
  func future() throws {
    _ = try source().token()
    seconds.now -= 1
    let second = try source().token()
    #expect(second.issuedAt == seconds.now)
    #expect(try source().token() == second)
  }

  @Test("An expired token of 20 minutes is replaced once for all; a younger one is kept")
  func expired() throws {
    let sources = try (0..<5).map { _ in try source() }
    let first = try sources[0].token()
    for source in sources { #expect(try source.token() == first) }
    seconds.now += 20 * 60 - 1
    for source in sources { #expect(try source.token(after: first) == first) }
    seconds.now += 1
    let second = try sources[0].token(after: first)
    #expect(second != first)
    for source in sources { #expect(try source.token(after: first) == second) }
  }

  @Test("A hundred that ask at once get one token")
  func atOnce() throws {
    let seen = Mutex<Set<ProviderToken>>([])
    for _ in 0..<2 {
      onThreads(100) { _ in
        guard let token = try? source().token() else { return }
        seen.withLock { _ = $0.insert(token) }
      }
      seconds.now += 50 * 60
    }
    #expect(seen.withLock { $0.count } == 2)
  }

  @Test("A hundred whose token expired at once get one new token")
  func expiredAtOnce() throws {
    let first = try source().token()
    let sources = try (0..<100).map { _ in try source() }
    for source in sources { _ = try source.token() }
    seconds.now += 20 * 60
    let seen = Mutex<Set<ProviderToken>>([])
    onThreads(100) { number in
      guard let token = try? sources[number].token(after: first) else { return }
      seen.withLock { _ = $0.insert(token) }
    }
    #expect(seen.withLock { $0.count == 1 && !$0.contains(first) })
  }

  @Test("Another key, key id or team has a token of its own")
  func names() throws {
    try openssl(
      "pkcs8", "-topk8", "-in", "AuthKey.p8", "-passout", "pass:x", "-out", "locked", in: folder)
    let locked = try folder.bytes("locked")
    let tokens = [
      try source().token(), try source(keyID: "ABC123DEFH").token(),
      try source(teamID: "DEF123GHIK").token(), try source(key + [0x0A]).token(),
      try source(locked, password: "x").token(),
    ]
    #expect(Set(tokens).count == tokens.count)
    #expect(try entries().count == tokens.count)
    #expect(throws: SigningKeyError.wrongPassword) { try source(locked, password: "y").token() }
    #expect(throws: SigningKeyError.encrypted) { try source(locked).token() }
    #expect(try source(key, password: "x").token() == tokens[0])
  }

  @Test("What the cache is called gives nobody a password to try: a new one leaves it as it is")
  func passwordIsNotInTheName() throws {
    var tokens: Set<ProviderToken> = []
    for password in ["x", "y"] {
      try openssl(
        "pkcs8", "-topk8", "-in", "AuthKey.p8", "-passout", "pass:\(password)", "-out", "locked",
        in: folder)
      tokens.insert(try source(folder.bytes("locked"), password: password).token())
    }
    #expect(try entries().count == 1)
    #expect(tokens.count == 1)
  }

  @Test("Folder and files are for their owner alone")
  func permissions() throws {
    _ = try source().token()
    for name in ["cache", "cache/fanfare"] {
      #expect(try mode(folder.path(of: name)) == 0o700)
    }
    #expect(try mode(entry()) == 0o600)
    #expect(try mode(path + "/lock") == 0o600)
  }

  @Test("A folder that others can look into is not trusted", arguments: [0o755, 0o750, 0o777])
  func openFolder(_ mode: mode_t) throws {
    let first = try source().token()
    #expect(chmod(path, mode) == 0)
    seconds.now += 1
    #expect(try source().token() != first)
    #expect(chmod(path, 0o700) == 0)
    #expect(try source().token() == first, "and nothing was written into it")
  }

  @Test("A file that others can read or write is not trusted", arguments: [0o644, 0o660, 0o602])
  func openFile(_ mode: mode_t) throws {
    let first = try source().token()
    #expect(chmod(try entry(), mode) == 0)
    seconds.now += 1
    let second = try source().token()
    #expect(second != first)
    #expect(try self.mode(entry()) == 0o600)
    #expect(try source().token() == second)
  }

  @Test("A folder or file of another user is not trusted", .enabled(if: geteuid() == 0))
  func otherOwner() throws {
    let first = try source().token()
    seconds.now += 1
    #expect(chown(try entry(), 12_345, 0) == 0)
    let second = try source().token()
    #expect(second != first)
    #expect(chown(path, 12_345, 0) == 0)
    seconds.now += 1
    #expect(try source().token() != second)
  }

  @Test("A link in a file's place is not followed")
  func link() throws {
    let first = try source().token()
    let moved = try folder.file("moved", Data(contentsOf: URL(filePath: entry())))
    #expect(chmod(moved, 0o600) == 0)
    let entry = try entry()
    #expect(unlink(entry) == 0)
    #expect(symlink(moved, entry) == 0)
    seconds.now += 1
    let second = try source().token()
    #expect(second != first)
    #expect(try folder.bytes("moved").starts(with: first.text.utf8), "it is not written through")
    #expect(try source().token() == second)
  }

  @Test("A damaged file is replaced")
  func damaged() throws {
    var last = try source().token()
    let entry = try entry()
    let whole = try [UInt8](Data(contentsOf: URL(filePath: entry)))
    var forms = stride(from: 0, to: whole.count, by: 41).map { Array(whole[..<$0]) }
    for place in [0, 10, 60, 100, 150, 190, whole.count - 3] {
      var form = whole
      form[place] ^= 1
      forms.append(form)
    }
    forms += [
      whole + [0x0A], [UInt8](repeating: 0, count: whole.count), Array(repeating: 65, count: 9000),
    ]
    for form in forms {
      seconds.now += 1
      try Data(form).write(to: URL(filePath: entry))
      #expect(chmod(entry, 0o600) == 0)
      let next = try source().token()
      #expect(next != last)
      #expect(try source().token() == next)
      last = next
    }
  }

  @Test("What a killed process left beside is no hindrance")
  func leftover() throws {
    _ = try source().token()
    try Data("half a tok".utf8).write(to: URL(filePath: entry() + ".new"))
    seconds.now += 50 * 60
    let second = try source().token()
    #expect(try source().token() == second)
    #expect(try entries().count == 1)
  }

  @Test("A lock that is never given back is waited for in bounds; then the process signs alone")
  func stuckLock() throws {
    let first = try source().token()
    let lock = open(path + "/lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    // Another test may be starting a program, which has a copy of the lock until then.
    try #require(flock(lock, LOCK_EX) == 0)
    #expect(try source(patience: 20).token() == first, "reading needs no lock")
    seconds.now += 50 * 60
    let second = try source(patience: 20).token()
    #expect(second.issuedAt == seconds.now)
    flock(lock, LOCK_UN)
    seconds.now += 1
    #expect(try source().token() != second, "and it wrote nothing")
  }

  @Test("A folder that cannot be made costs a signature and nothing else")
  func noFolder() throws {
    for folder in ["/dev/null/fanfare", try self.folder.file("file", "x"), "", "relative\u{0}x"] {
      #expect(try source(folder: folder).token().issuedAt == seconds.now)
    }
  }

  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o7777
  }
}
