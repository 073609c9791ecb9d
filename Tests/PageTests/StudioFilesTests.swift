import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

extension StudioPageTests {
  @Suite("The files of the studio's page")
  struct StudioFiles {
    private static let path = "scenarios/bread.json5"
    private static let files = [path: StudioPageTests.scenario]

    @Test("show in one tab what another one writes", arguments: [375, 1280])
    func twoTabs(width: Int) throws {
      try withOpenStudio(width: width, files: Self.files) { studio, process in
        try studio.choose(Self.path)
        let first = try studio.browser.command("GET", "window")
        let other =
          try studio.browser.command("POST", "window/new", ["type": "tab"])["handle"] ?? nil
        try studio.browser.command("POST", "window", ["handle": other])
        try studio.browser.show(width: width, height: 800, scheme: "light")
        try studio.open(process.url)
        try studio.choose(Self.path)
        try studio.part("form")
        try studio.fill("#field-title", with: "From the other tab")
        try studio.waitUntilSaved()
        try studio.browser.command("DELETE", "window")
        try studio.browser.command("POST", "window", ["handle": first])
        try studio.browser.developerTools("Page.bringToFront", [:])
        try studio.browser.wait(
          until: "document.querySelector('#field-title').value === 'From the other tab'")
        try studio.browser.wait(
          until: "document.querySelector('#text').value.includes('From the other tab')")
      }
    }

    @Test("are not overwritten unseen when they have changed on disk", arguments: [375, 1280])
    func conflict(width: Int) throws {
      try withOpenStudio(width: width, files: Self.files, expecting: "409") { studio, _ in
        try studio.choose(Self.path)
        // From now on the page does not look by itself.
        try studio.browser.run("Object.defineProperty(document, 'hidden', { value: true })")
        for (answer, title) in [("Take theirs", "Theirs, to Take theirs"), ("Keep mine", "Mine")] {
          try studio.project.write(
            Self.path,
            StudioPageTests.scenario.replacing("\"Old\"", with: "\"Theirs, to \(answer)\""))
          try studio.part("form")
          try studio.fill("#field-title", with: "Mine")
          try studio.wait(for: "changed on disk", in: "#conflict")
          try studio.wait(for: "title: \"Theirs", in: "#conflict")
          #expect(try studio.project.text(Self.path).contains("Theirs"))
          try studio.press(answer, in: "#conflict")
          try studio.waitUntilSaved()
          #expect(try studio.project.text(Self.path).contains("title: \"\(title)\""))
        }
      }
    }

    @Test(
      "that another program deletes are told, and written again if one wants",
      arguments: [375, 1280])
    func deleted(width: Int) throws {
      try withOpenStudio(width: width, files: Self.files, expecting: "status of 40") { studio, _ in
        try studio.choose(Self.path)
        try FileManager.default.removeItem(atPath: studio.project.file(Self.path))
        try studio.wait(for: "was removed on disk", in: "#conflict")
        try studio.press("Keep mine", in: "#conflict")
        try studio.waitUntilSaved()
        #expect(try studio.project.text(Self.path) == StudioPageTests.scenario)
      }
    }

    @Test("that another program changes leave the caret where it was in the text")
    func caret() throws {
      try withOpenStudio(width: 1280, files: Self.files) { studio, _ in
        try studio.choose(Self.path)
        try studio.browser.run(
          """
          const text = document.querySelector('#text');
          text.focus();
          text.setSelectionRange(text.value.indexOf('Old'), text.value.indexOf('Old'));
          """)
        try studio.project.write(Self.path, "// One more line.\n" + StudioPageTests.scenario)
        try studio.browser.wait(until: "document.querySelector('#text').value.includes('One more')")
        let caret =
          "const text = document.querySelector('#text');"
          + " return text.value.slice(text.selectionStart).slice(0, 3)"
        #expect(try studio.browser.run(caret) == "Old")
      }
    }

    @Test("keep lines that end in CRLF")
    func lineEnds() throws {
      let text = StudioPageTests.scenario.replacing("\n", with: "\r\n")
      try withOpenStudio(width: 1280, files: [Self.path: text]) { studio, _ in
        try studio.choose(Self.path)
        try studio.browser.click("#text")
        try studio.browser.type("// Typed. ")
        try studio.fill("#field-title", with: "New")
        try studio.waitUntilSaved()
        let written = try studio.project.text(Self.path)
        #expect(written.contains("// Typed. ") && written.contains("\"New\""))
        #expect(written.replacing("\r\n", with: "").allSatisfy { !$0.isNewline })
      }
    }

    @Test("keep the ends of the lines that nobody touches, whatever they are")
    func mixedLineEnds() throws {
      let lines = StudioPageTests.scenario.split(separator: "\n")
      let ends = ["\r\n", "\n", "\r"]
      let text = lines.enumerated().map { $1 + ends[$0 % 3] }.joined()
      try withOpenStudio(width: 1280, files: [Self.path: text]) { studio, _ in
        try studio.choose(Self.path)
        try studio.browser.run(
          """
          const text = document.querySelector('#text');
          text.focus();
          text.setSelectionRange(text.value.indexOf('Old'), text.value.indexOf('Old'));
          """)
        try studio.browser.type("X")
        try studio.browser.wait(until: "document.querySelector('#field-title').value === 'XOld'")
        try studio.waitUntilSaved()
        #expect(
          try studio.project.text(Self.path) == text.replacing("\"Old\"", with: "\"XOld\""))
      }
    }

    @Test("are sent once a save that is under way has ended, with what was typed meanwhile")
    func saveUnderWay() throws {
      try withOpenStudio(width: 1280, files: Self.files) { studio, process in
        try studio.hold("options?.method === 'PUT'")
        try studio.browser.open("about:blank")
        try studio.open(process.url)
        try studio.choose(Self.path)
        try studio.browser.run("window.isHolding = true")
        try studio.fill("#field-title", with: "First")
        try studio.waitForHeld()
        try studio.browser.run("window.isHolding = false")
        try studio.fill("#field-title", with: "Second")
        try studio.pressSend()
        try studio.browser.run("window.release()")
        try studio.wait(for: "accepted 200", in: "#answer")
        #expect(try studio.browser.value("document.querySelector('#news').textContent") == "")
        let show = try JSON(text: studio.fanfare.run(["history", "list", "1", "--json"]).output)
        let push = try #require(show["apnsID"]?.string)
        let request = try JSON(
          text: studio.fanfare.run(["history", "show", push, "--json"]).output)
        #expect(request["request"]?["payload"]?["aps"]?["alert"]?["title"] == "Second")
      }
    }

    @Test("come back when the only one was deleted, at once and after a reload")
    func onlyFile() throws {
      try withOpenStudio(width: 1280, files: Self.files) { studio, process in
        try studio.choose(Self.path)
        for isLater in [false, true] {
          try studio.browser.click("#menu")
          try studio.browser.click("#delete")
          try studio.wait(for: "was deleted", in: "#news")
          try studio.wait(for: "No file", in: "#name")
          #expect(try studio.browser.value("document.querySelector('#sender').hidden") == true)
          if isLater {
            try studio.browser.open("about:blank")
            try studio.open(process.url)
            try studio.browser.click("#bin")
            try studio.wait(for: Self.path, in: "#dialog")
            try studio.browser.click("#dialog .main")
          } else {
            try studio.press("Undo", in: "#news")
          }
          try studio.wait(for: Self.path, in: "#name")
          try studio.browser.wait(until: "document.querySelector('#field-title').value === 'Old'")
          #expect(try studio.project.text(Self.path) == StudioPageTests.scenario)
        }
      }
    }

    @Test("keep whom they are sent to, and where, under another name")
    func renamedOptions() throws {
      try withOpenStudio(width: 1280, files: Self.files) { studio, _ in
        try studio.choose(Self.path)
        try studio.set("#env", to: "inbox")
        try studio.wait(for: "--env=inbox", in: "#command")
        try studio.browser.click("#menu")
        try studio.browser.click("#rename")
        try studio.fill("#rename-path", with: "scenarios/rolls")
        try studio.browser.click("#dialog .main")
        try studio.wait(for: "run scenarios/rolls.json5 --env=inbox", in: "#command")
      }
    }

    @Test("with names that cannot be shown are counted")
    func leftOut() throws {
      let names = [String(repeating: "a", count: 201) + ".json", "two\nlines.json"]
      let files = Dictionary(uniqueKeysWithValues: names.map { ($0, "{}") })
      try withOpenStudio(width: 1280, files: Self.files.merging(files) { $1 }) { studio, _ in
        try studio.wait(for: "2 files are left out: a name is longer than 200 bytes", in: "#files")
      }
    }

    @Test("keep what was typed when the studio is killed", arguments: [375, 1280])
    func crash(width: Int) throws {
      try withOpenStudio(width: width, files: Self.files, expecting: "net::ERR_") {
        studio, process in
        try studio.choose(Self.path)
        try studio.part("form")
        process.program.send(SIGKILL)
        _ = try process.program.finish()
        try studio.fill("#field-title", with: "Typed meanwhile")
        try studio.wait(for: "Not saved yet", in: "#saved")
        try studio.wait(for: "The studio has stopped", in: "#state")
        #expect(try studio.project.text(Self.path) == StudioPageTests.scenario)
        // The old page would ask the next studio with its old key.
        try studio.browser.open("about:blank")
        let next = try StudioProcess(studio.fanfare, port: process.port)
        try studio.open(next.url)
        try studio.wait(for: Self.path, in: "#name")
        try studio.waitUntilSaved()
        try studio.browser.wait(
          until: "document.querySelector('#field-title').value === 'Typed meanwhile'")
        #expect(
          try studio.project.text(Self.path)
            == StudioPageTests.scenario.replacing("\"Old\"", with: "\"Typed meanwhile\""))
        try next.end()
      }
    }

    @Test("are duplicated, renamed, deleted and restored", arguments: [375, 1280])
    func actions(width: Int) throws {
      try withOpenStudio(width: width, files: Self.files, expecting: "409") { studio, _ in
        try studio.choose(Self.path)
        try studio.browser.click("#menu")
        try studio.browser.click("#duplicate")
        try studio.wait(for: "scenarios/bread 2.json5", in: "#name")
        try studio.browser.click("#menu")
        try studio.browser.click("#rename")
        try studio.browser.wait(until: "document.querySelector('#rename-path')")
        try studio.fill("#rename-path", with: "scenarios/bread")
        try studio.browser.click("#dialog .main")
        try studio.wait(for: "There is a file scenarios/bread.json5 already.", in: "#dialog")
        try studio.fill("#rename-path", with: "scenarios/rolls")
        try studio.browser.click("#dialog .main")
        try studio.wait(for: "scenarios/rolls.json5", in: "#name")
        try studio.browser.click("#menu")
        try studio.browser.click("#delete")
        try studio.wait(for: "was deleted", in: "#news")
        #expect(try studio.project.folder("scenarios").names() == ["bread.json5"])
        try studio.wait(for: "scenarios/bread.json5", in: "#name")
        try studio.press("Undo", in: "#news")
        try studio.wait(for: "scenarios/rolls.json5", in: "#name")
        #expect(
          try studio.project.text("scenarios/rolls.json5")
            == StudioPageTests.scenario.replacing("Bread\"", with: "Bread 2\""))
      }
    }

    @Test("for the simulator name the app that they are sent to")
    func simulator() throws {
      let text = #"{"Simulator Target Bundle": "com.example.bread", "aps": {"alert": "Hi"}}"#
      try withOpenStudio(width: 1280, files: ["payloads/hi.apns": text]) { studio, _ in
        try studio.choose("payloads/hi.apns")
        try studio.wait(for: "--bundle-id=com.example.bread", in: "#command")
      }
    }

    @Test("come from a curl command, without its secrets", arguments: [375, 1280])
    func importing(width: Int) throws {
      let line = """
        curl --header 'authorization: bearer eyJ.eyJ.x' --header 'apns-topic: com.example.a' \
        --data '{"aps":{"alert":"Hi"}}' https://api.push.apple.com/3/device/\(StudioPageTests.token)
        """
      try withOpenStudio(width: width) { studio, _ in
        try studio.view("files")
        try studio.browser.click("#import")
        try studio.browser.wait(until: "document.querySelector('#import-curl')")
        try studio.set("#import-curl", to: line)
        try studio.browser.click("#dialog .main")
        try studio.wait(for: "scenarios/curl.json5", in: "#name")
        #expect(try !studio.project.text("scenarios/curl.json5").contains("eyJ"))
        // It would go to production, but nobody has said with which key.
        try studio.wait(for: "No credentials given.", in: "#plan")
        try studio.pressSend()
        try studio.wait(for: "No credentials given.", in: "#answer")
        #expect(try studio.fanfare.run(["history", "list", "--json"]).output == "")
      }
    }
  }
}
