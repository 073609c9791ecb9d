import APNS
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@testable import Fanfare

@Suite("Credentials of a client", .timeLimit(.minutes(15)))
struct ClientCredentialsTests {
  typealias Credentials = PushClient.Credentials

  /// Sends a push with credentials that are made in a folder with keys and certificates, and
  /// returns what the server saw.
  private func push(
    with make: (TemporaryFolder) throws -> Credentials
  ) async throws -> ReceivedPush {
    let credentials = try withTemporaryFolder { folder in
      _ = try CredentialWorkshop(in: folder)
      return try make(folder)
    }
    let server = try TestServer(configure: { $0.keeps = 1 })
    let client = PushClient(credentials: credentials, environment: try environment(of: server))
    #expect(await client.send(try sample(), to: try device(1)).outcome == .accepted)
    await client.close()
    return try #require(server.emulator.received?.page(limit: 1).pushes.first)
  }

  @Test(
    "The key ID that is given counts, before one in the name of the key's file",
    arguments: [
      ("AuthKey_AAAAAAAAAA.p8", nil, "AAAAAAAAAA"),
      ("AuthKey_AAAAAAAAAA.p8", "BBBBBBBBBB", "BBBBBBBBBB"), ("key.p8", "BBBBBBBBBB", "BBBBBBBBBB"),
    ] as [(String, String?, String)])
  func keyID(_ file: String, _ given: String?, _ expected: String) async throws {
    let push = try await push { folder in
      try folder.write(file, try folder.text("good.p8"))
      return try .signingKey(file: folder.file(file), keyID: given, teamID: "DEF123GHIJ")
    }
    #expect(push.request.authorization?.keyID == expected)
    #expect(push.request.authorization?.teamID == "DEF123GHIJ")
  }

  @Test("The password opens an encrypted key, in a file and as text")
  func password() async throws {
    for isText in [false, true] {
      func credentials(_ folder: TemporaryFolder, _ password: String?) throws -> Credentials {
        let (keyID, teamID) = ("ABC123DEFG", "DEF123GHIJ")
        if isText {
          return try .signingKey(
            pem: folder.text("locked.p8"), keyID: keyID, teamID: teamID, password: password)
        }
        return try .signingKey(
          file: folder.file("locked.p8"), keyID: keyID, teamID: teamID, password: password)
      }
      let push = try await push { folder in
        for wrong in [nil, "sesame"] {
          #expect(throws: CredentialsError.self) { try credentials(folder, wrong) }
        }
        return try credentials(folder, CredentialWorkshop.password)
      }
      #expect(push.request.authorization?.keyID == "ABC123DEFG")
    }
  }

  @Test(
    "A certificate has its key in the same file, or in another, and either may be encrypted",
    arguments: [
      ("open.p12", nil, false), ("aes.p12", nil, true), ("both.pem", nil, false),
      ("shop.pem", "shop.key", false), ("shop.pem", "locked.key", true),
    ] as [(String, String?, Bool)])
  func certificate(_ file: String, _ key: String?, _ isLocked: Bool) async throws {
    let push = try await push { folder in
      func credentials(_ key: String?, _ password: String?) throws -> Credentials {
        try .certificate(
          file: folder.file(file), key: key.map { folder.file($0) }, password: password)
      }
      if isLocked {
        #expect(throws: CredentialsError.self) { try credentials(key, "sesame") }
      }
      if key != nil {
        #expect(throws: CredentialsError.self) { try credentials(nil, nil) }
        #expect(throws: CredentialsError.self) { try credentials("voip.key", nil) }
      }
      return try credentials(key, isLocked ? CredentialWorkshop.password : nil)
    }
    #expect(push.certificate == "Apple Push Services: com.example.shop")
    #expect(push.request.authorization == nil)
  }
}
