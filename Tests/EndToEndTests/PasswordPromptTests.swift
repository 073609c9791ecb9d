import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("A password")
struct PasswordPromptTests {
  private func withPrompt(
    _ words: [String] = ["--cert", "aes.p12"], _ body: (TerminalProgram) throws -> Void
  ) throws {
    try withFanfare { fanfare in
      _ = try CredentialWorkshop(in: fanfare.folder)
      let send = [
        "send", "--env", "emulator", "--bundle-id", "com.example.shop", "--title", "Hello", "--to",
        device("0a1b"),
      ]
      let program = try TerminalProgram(path: Fanfare.path, send + words, in: fanfare.folder)
      try body(program)
      #expect(program.hasEcho)
      #expect(!program.screen.contains(CredentialWorkshop.password))
      expectHarmless(program.screen)
    }
  }

  @Test("is asked for on a terminal, and not shown")
  func asked() throws {
    try withPrompt { program in
      #expect(program.wait(for: "Password of aes.p12: "))
      #expect(!program.hasEcho)
      program.type(CredentialWorkshop.password + "\n")
      #expect(program.finish() == 0)
      #expect(program.screen.contains("accepted"))
    }
  }

  @Test("is asked for on the terminal, wherever standard error goes")
  func redirected() throws {
    try withFanfare { fanfare in
      _ = try CredentialWorkshop(in: fanfare.folder)
      let send = [
        "-c", "\"$@\" 2>err.log", "sh", Fanfare.path, "send", "--env", "emulator", "--bundle-id",
        "com.example.shop", "--title", "Hello", "--to", device("0a1b"), "--cert", "aes.p12",
      ]
      let program = try TerminalProgram(path: "/bin/sh", send, in: fanfare.folder)
      #expect(program.wait(for: "Password of aes.p12: "))
      program.type(CredentialWorkshop.password + "\n")
      #expect(program.finish() == 0, "\(program.screen)")
    }
  }

  @Test("of a signing key is asked for as well")
  func key() throws {
    let words = ["--key", "locked.p8", "--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ"]
    try withPrompt(words) { program in
      #expect(program.wait(for: "Password of locked.p8: "))
      program.type(CredentialWorkshop.password + "\n")
      #expect(program.finish() == 0)
    }
  }

  @Test("may be wrong twice")
  func again() throws {
    try withPrompt { program in
      for time in 1...2 {
        #expect(program.wait(for: "Password of aes.p12: ", times: time))
        program.type("wrong\n")
      }
      #expect(program.wait(for: "That does not open it. Password of aes.p12: ", times: 2))
      program.type(CredentialWorkshop.password + "\n")
      #expect(program.finish() == 0)
    }
  }

  @Test("may not be wrong three times")
  func refused() throws {
    try withPrompt { program in
      for time in 1...3 {
        #expect(program.wait(for: "Password of aes.p12: ", times: time))
        program.type("wrong\n")
      }
      #expect(program.finish() == 3)
      #expect(program.screen.contains("The password does not open it."))
    }
  }

  @Test("that nobody wants to type ends the command, with the terminal as it was")
  func interrupted() throws {
    try withPrompt { program in
      #expect(program.wait(for: "Password of aes.p12: "))
      #expect(!program.hasEcho)
      program.type("half a pass\u{3}")
      #expect(program.finish() == 130)
    }
  }

  @Test("that is empty is none")
  func empty() throws {
    try withPrompt { program in
      #expect(program.wait(for: "Password of aes.p12: "))
      program.type("\n")
      #expect(program.finish() == 3)
      #expect(program.screen.contains("It is encrypted with a password."))
    }
  }
}
