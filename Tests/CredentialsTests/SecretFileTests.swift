import Foundation
import SendingSupport
import TestSupport
import Testing

@testable import Credentials

@Suite("Files with a secret in them", .timeLimit(.minutes(15)))
struct SecretFileTests {
  private let folder: KeptFolder

  init() throws { folder = try KeptFolder() }

  private func fault(_ path: String, limit: Int = 100) -> SecretFileError? {
    do throws(SecretFileError) {
      _ = try SecretFile.read(path, limit: limit)
      return nil
    } catch {
      return error
    }
  }

  private func file(_ text: String, mode: mode_t = 0o600) throws -> String {
    let path = try folder.file("key", text)
    try #require(chmod(path, mode) == 0)
    return path
  }

  @Test("are read whole, up to the limit")
  func whole() throws {
    let text = String(repeating: "k", count: 100)
    #expect(try SecretFile.read(file(text), limit: 100).bytes.array == Array(text.utf8))
    #expect(fault(try file(text + "k")) == .tooLarge(limit: 100))
  }

  @Test("have 65,536 bytes at most, unless another limit is given")
  func usualLimit() throws {
    let long = String(repeating: "k", count: 65_536)
    #expect(try SecretFile.read(file(long)).bytes.count == 65_536)
    let longer = try file(long + "k")
    #expect(throws: SecretFileError.tooLarge(limit: 65_536)) { try SecretFile.read(longer) }
  }

  @Test("are taken in silence when only their owner reads them", arguments: [0o600, 0o400, 0o700])
  func good(_ mode: mode_t) throws {
    #expect(try SecretFile.read(file("k", mode: mode)).exposure == nil)
  }

  @Test("are noticed when others read them", arguments: [0o644, 0o640, 0o604, 0o444])
  func exposed(_ mode: mode_t) throws {
    #expect(try SecretFile.read(file("k", mode: mode)).exposure?.mode == UInt16(mode))
  }

  @Test("are refused when others write to them", arguments: [0o666, 0o620, 0o602, 0o664])
  func writable(_ mode: mode_t) throws {
    #expect(fault(try file("k", mode: mode)) == .writableByOthers(mode: UInt16(mode)))
  }

  @Test("are found behind links, and judged by what is there")
  func links() throws {
    let link = folder.path(of: "link")
    try #require(symlink(try file("k", mode: 0o640), link) == 0)
    let read = try SecretFile.read(link)
    #expect(read.bytes.array == [UInt8(ascii: "k")])
    #expect(read.exposure?.mode == 0o640)
    try #require(symlink("nowhere", folder.path(of: "dangling")) == 0)
    #expect(fault(folder.path(of: "dangling")) == .missing)
  }

  @Test("are no folders, devices, sockets or nothing")
  func otherKinds() throws {
    #expect(fault(folder.path) == .isFolder)
    #expect(fault("/dev/null") == .isDevice)
    #expect(fault(folder.path(of: "none")) == .missing)
    #expect(fault(try file("") + "/x") == .system(ENOTDIR))
    #expect(fault(try file("")) == .empty)
    let socket = try UnixSocket(folder.path)
    #expect(fault(socket.path) == .isSocket)
  }

  @Test("are called sockets whatever the system says of them", arguments: [ENXIO, EOPNOTSUPP])
  func sockets(code: Int32) { #expect(SecretFileError(opening: code) == .isSocket) }

  @Test("are not waited for when they are a pipe that nobody writes to")
  func pipe() throws {
    let path = folder.path(of: "pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let error = try within { [self] in fault(path) }
    #expect(error == .isPipe)
  }

  @Test("are read from the pipe that a shell's <(…) makes")
  func substitution() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let contents = try within {
      Thread.detachNewThread {
        pipe.fileHandleForWriting.write(Data("se".utf8))
        pipe.fileHandleForWriting.write(Data("cret".utf8))
        try? pipe.fileHandleForWriting.close()
      }
      return try SecretFile.read("/dev/fd/\(descriptor)").bytes.array
    }
    #expect(contents == Array("secret".utf8))
  }

  @Test(
    "lose one line end where they are passwords",
    arguments: [
      ("x\n", "x"), ("x\r\n", "x"), ("x", "x"), ("x\n\n", "x\n"), (" x ", " x "), ("x\r", "x"),
      ("\u{FEFF}x", "x"), ("\u{FEFF}x\n", "x"), ("x\u{FEFF}", "x\u{FEFF}"), ("\u{FEFF}\n", ""),
      ("\n", ""), ("", ""),
    ])
  func lineEnd(_ row: (file: String, password: String)) {
    #expect(SecretBytes(row.file).withoutLineEnd.array == Array(row.password.utf8))
  }

  @Test("are not printed")
  func secrecy() throws {
    let read = try SecretFile.read(file("secret"))
    var dumped = ""
    dump(read, to: &dumped)
    for text in ["\(read)", String(reflecting: read), dumped, "\(read.bytes)"] {
      #expect(!text.contains("secret") || text.contains("secret of 6 bytes"))
      #expect(!text.contains("115"))
    }
  }
}

/// A socket with a name.
private final class UnixSocket {
  let path: String
  private let descriptor: Int32

  init(_ folder: String) throws {
    path = folder + "/s"
    #if os(Linux)
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8CString)
    try #require(name.count <= MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      name.withUnsafeBytes { bytes.copyMemory(from: $0) }
    }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    try #require(bound == 0)
  }

  deinit { close(descriptor) }
}
