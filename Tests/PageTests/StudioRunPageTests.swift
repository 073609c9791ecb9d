import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

extension StudioPageTests {
  @Suite("Runs in the studio's page")
  struct StudioRuns {
    /// Twenty pushes a second: what is sent to a list ends when it is cancelled.
    private static let script = """
      {rules: [{delay: "100ms"}], settings: [{at: "firstToken", maxConcurrentStreams: 2}]}
      """
    private static let place = #"{ emulator: { script: "slow.json5" } }, connections: 1"#
    private static let slow = StudioPageTests.scenario
      .replacing("\"emulator\"", with: place)
      .replacing("[\"\(StudioPageTests.token)\"]", with: #"["../lists/many.txt"]"#)
    private static let files = [
      "scenarios/bread.json5": slow,
      "scenarios/rolls.json5": slow.replacing("Bread", with: "Rolls"),
      "scenarios/slow.json5": script, "lists/many.txt": tokenList(300),
    ]

    @Test("go on when their events are cut off, and are followed again")
    func cut() throws {
      try withOpenStudio(width: 1280, files: Self.files) { studio, process in
        try studio.browser.prepare(
          """
          const ask = window.fetch;
          window.fetch = async (url, options) => {
            const answer = await ask(url, options);
            if (!/events$/.test(url) || window.cut) return answer;
            const reader = answer.body.getReader();
            return new Response(new ReadableStream({
              start(controller) {
                window.cut = () => { reader.cancel(); controller.error(new TypeError('network error')); };
              },
              async pull(controller) {
                const { done, value } = await reader.read();
                if (!done) controller.enqueue(value);
              },
            }));
          };
          """)
        try studio.browser.open("about:blank")
        try studio.open(process.url)
        try studio.choose("scenarios/bread.json5")
        try studio.pressSend()
        try studio.browser.wait(until: "document.querySelector('#answer progress').value > 2")
        try studio.browser.run(
          "window.cut(); window.old = document.querySelector('#answer progress').value")
        try studio.browser.wait(
          until: "document.querySelector('#answer progress').value > window.old")
        #expect(try !studio.has("Again", in: "#answer") && !studio.has("error", in: "#answer"))
        // No result is told twice.
        let tokens = """
          [...document.querySelectorAll('#answer .line-row .soft')].map((row) => row.textContent.slice(0, 9))
          """
        #expect(try studio.browser.value("new Set(\(tokens)).size === \(tokens).length") == true)
        try studio.press("Cancel", in: "#answer")
        try studio.wait(for: "Cancelled: ", in: "#answer")
      }
    }

    @Test("are there again after a reload, with what ends them", arguments: [375, 1280])
    func reload(width: Int) throws {
      try withOpenStudio(width: width, files: Self.files) { studio, process in
        try studio.choose("scenarios/bread.json5")
        try studio.pressSend()
        try studio.browser.wait(until: "document.querySelector('#answer progress').value > 2")
        try studio.browser.open("about:blank")
        try studio.open(process.url)
        try studio.wait(for: " of 300", in: "#answer .verdict")
        try studio.wait(for: "run scenarios/bread.json5", in: "#answer")
        try studio.press("Cancel", in: "#answer")
        try studio.wait(for: "Cancelled: ", in: "#answer")
        // What has ended is there too.
        try studio.browser.open("about:blank")
        try studio.open(process.url)
        try studio.wait(for: "Cancelled: ", in: "#answer")
        try studio.press("Resume", in: "#answer")
        try studio.press("Cancel", in: "#answer")
      }
    }

    @Test("are not begun twice, but beside each other, and each can be cancelled")
    func twice() throws {
      try withOpenStudio(width: 1280, files: Self.files) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        try studio.pressSend()
        try studio.browser.wait(until: "document.querySelector('#answer progress').value > 0")
        try studio.pressSend()
        try studio.wait(for: "This is being sent already.", in: "#news")
        try studio.choose("scenarios/rolls.json5")
        try studio.pressSend()
        try studio.wait(for: "run scenarios/rolls.json5", in: "#answer .verdict")
        try studio.press("scenarios/bread.json5", in: "#answer")
        try studio.wait(for: "run scenarios/bread.json5", in: "#answer .verdict")
        try studio.press("Cancel", in: "#answer")
        try studio.wait(for: "Cancelled: ", in: "#answer .verdict")
        try studio.press("scenarios/rolls.json5", in: "#answer")
        try studio.press("Cancel", in: "#answer")
        try studio.wait(for: "Cancelled: ", in: "#answer .verdict")
        let runs = try studio.fanfare.run(["history", "list", "--numbers"]).output
        #expect(runs == "2\n1\n")
      }
    }

    @Test("of a step that is resumed say that the others were not sent, and go on with them")
    func steps() throws {
      let step = #"{notification: {payload: {aps: {alert: "Hi"}}}}"#
      let text = """
        {name: "Three", bundleID: "a.b", environment: \(Self.place),
         recipients: ["lists/many.txt"], steps: [\(step), \(step)]}
        """
      let files = ["three.json5": text, "slow.json5": Self.script, "lists/many.txt": tokenList(30)]
      try withOpenStudio(width: 1280, files: files) { studio, _ in
        try studio.choose("three.json5")
        try studio.pressSend()
        try studio.browser.wait(until: "document.querySelector('#answer progress').value > 0")
        try studio.press("Cancel", in: "#answer")
        try studio.wait(for: "Cancelled: ", in: "#answer .verdict")
        try studio.wait(for: " of 60 pushes accepted", in: "#answer .verdict")
        try studio.press("Resume", in: "#answer")
        try studio.wait(for: "30 of 30 pushes accepted", in: "#answer .verdict")
        try studio.wait(
          for: "This finished step 1 of Three. Steps after it were not sent.", in: "#answer")
        try studio.press("Go on with step 2", in: "#answer")
        try studio.wait(for: "run three.json5", in: "#answer .verdict")
        try studio.wait(for: "30 of 30 pushes accepted", in: "#answer .verdict")
        let runs = try studio.fanfare.run(["history", "list", "--json"]).output.split(
          separator: "\n")
        #expect(try runs.map { try JSON(text: $0)["accepted"]?.int } == [30, 30])
      }
    }

    @Test("that are cancelled tell the program's own figures")
    func cancelled() throws {
      let files = Self.files.merging(["lists/many.txt": tokenList(100_000)]) { $1 }
      try withOpenStudio(width: 1280, files: files) { studio, _ in
        try studio.choose("scenarios/bread.json5")
        try studio.pressSend()
        try studio.browser.wait(until: "document.querySelector('#answer progress').value > 0")
        try studio.press("Cancel", in: "#answer")
        try studio.wait(for: "Cancelled: ", in: "#answer .verdict")
        try studio.wait(for: "100,000 pushes accepted", in: "#answer .verdict")
        let run = try JSON(text: studio.fanfare.run(["history", "show", "--json"]).output)
        let counts = ["accepted", "notAttempted"].map { run[$0]?.int ?? -1 }
        let unread = try #require(run["unread"]?["recipients"]?.int)
        let shown = (counts + [unread]).map {
          $0.formatted(.number.locale(Locale(identifier: "en_US")))
        }
        try studio.wait(for: "\(shown[0]) accepted", in: "#answer .tallies")
        try studio.wait(for: "\(shown[1]) not attempted", in: "#answer .tallies")
        try studio.wait(for: "about \(shown[2]) not read", in: "#answer .tallies")
      }
    }
  }

  @Suite("Answers that come late to the studio's page")
  struct StudioLateAnswers {
    /// Opens the page anew, in which answers can be held.
    private func reopen(_ studio: OpenStudio, _ process: StudioProcess) throws {
      try studio.browser.open("about:blank")
      try studio.open(process.url)
    }

    @Test("of a preview do not tell of the file that is open then")
    func preview() throws {
      let files = [
        "scenarios/bread.json5": StudioPageTests.scenario, "lists/a.txt": device(1) + "\n",
      ]
      try withOpenStudio(width: 1280, files: files) { studio, process in
        try studio.hold("options?.body?.includes('\"preview\"')")
        try reopen(studio, process)
        try studio.browser.run("window.isHolding = true")
        try studio.choose("scenarios/bread.json5")
        try studio.waitForHeld()
        try studio.choose("lists/a.txt")
        try studio.browser.run("window.release()")
        try studio.browser.wait(until: "!window.isUnderWay()")
        try studio.browser.run("window.dispatchEvent(new Event('focus'))")
        try studio.browser.wait(until: "!window.isUnderWay()")
        #expect(
          try studio.browser.value("document.querySelector('#problems .size')") == JSON(.null))
      }
    }

    @Test("of a push's run do not hide the list that is looked at then")
    func push() throws {
      let files = [
        "scenarios/bread.json5": StudioPageTests.scenario
          .replacing("[\"\(StudioPageTests.token)\"]", with: "[\"../lists/a.txt\"]"),
        "lists/a.txt": tokenList(2),
      ]
      try withOpenStudio(width: 1280, files: files) { studio, process in
        try studio.hold("options?.body?.includes('\"show\",\"1\"')")
        try reopen(studio, process)
        try studio.choose("scenarios/bread.json5")
        try studio.pressSend()
        try studio.wait(for: "2 of 2 pushes accepted", in: "#answer")
        try studio.browser.run("window.isHolding = true")
        try studio.browser.click("#answer .line-row")
        try studio.waitForHeld()
        try studio.browser.click("#sides button[data-side=history]")
        try studio.wait(for: "1 Bread", in: "#history")
        try studio.browser.run("window.release()")
        try studio.browser.wait(until: "!window.isUnderWay()")
        #expect(try !studio.has("Push of run", in: "#history"))
      }
    }

    @Test("open their dialog after the one that is open, and once")
    func dialogs() throws {
      try withOpenStudio(width: 1280) { studio, process in
        try studio.hold("options?.body?.includes('\"example\"')")
        try reopen(studio, process)
        try studio.browser.run("window.isHolding = true")
        for _ in 1...2 { try studio.browser.click("#new") }
        try studio.waitForHeld()
        try studio.browser.click("#import")
        try studio.browser.wait(until: "document.querySelector('#import-curl') !== null")
        try studio.browser.run("window.release()")
        try studio.browser.wait(until: "!window.isUnderWay()")
        try studio.press("Cancel", in: "#dialog")
        try studio.browser.wait(until: "document.querySelector('#new-name') !== null")
        try studio.press("Cancel", in: "#dialog")
        try studio.browser.wait(until: "!document.querySelector('#dialog').open")
      }
    }

    @Test("or never, from a studio that has stopped, are told in the answer")
    func stopped() throws {
      let files = ["scenarios/bread.json5": StudioPageTests.scenario]
      try withOpenStudio(width: 1280, files: files, expecting: "net::ERR_") { studio, process in
        try studio.choose("scenarios/bread.json5")
        try studio.wait(for: "emulator", in: "#plan")
        try process.end()
        try studio.pressSend()
        try studio.wait(for: "The studio does not answer.", in: "#answer")
        try studio.wait(for: "Nothing was sent", in: "#answer")
      }
    }

    @Test("of the list of files do not hide a file that is newer")
    func listing() throws {
      let files = ["scenarios/bread.json5": StudioPageTests.scenario]
      try withOpenStudio(width: 1280, files: files) { studio, process in
        try studio.hold("/studio.files$/.test(url)")
        try studio.browser.open("about:blank")
        try studio.open(process.url)
        try studio.choose("scenarios/bread.json5")
        try studio.browser.run("window.isHolding = true")
        try studio.waitForHeld()
        try studio.browser.run("window.isHolding = false")
        try studio.browser.click("#new")
        try studio.fill("#new-name", with: "Rolls")
        try studio.browser.click("#dialog .main")
        try studio.wait(for: "scenarios/rolls.json5", in: "#name")
        try studio.browser.run("window.release()")
        // The file after the one that was held is in the list of the next look.
        try studio.project.write("next.json5", StudioPageTests.scenario)
        try studio.browser.wait(until: "document.querySelector(\"[data-path='next.json5']\")")
        #expect(try studio.browser.value("document.querySelector('#conflict').hidden") == true)
      }
    }

    @Test("of the plan for a list that is not chosen any more are not shown")
    func rows() throws {
      let files = [
        "scenarios/bread.json5": StudioPageTests.scenario,
        "lists/a.csv": "token,x\n\(device(1)),1\n\(device(2)),2\n",
      ]
      try withOpenStudio(width: 1280, files: files) { studio, process in
        try studio.hold("options?.body?.includes('--plan') && options.body.includes('--tokens')")
        try studio.browser.open("about:blank")
        try studio.open(process.url)
        try studio.choose("scenarios/bread.json5")
        try studio.browser.click("#to")
        try studio.browser.run("window.isHolding = true")
        try studio.browser.click("#recipients fieldset input")
        try studio.waitForHeld()
        try studio.browser.click("#recipients fieldset input")
        try studio.browser.wait(
          until: "!document.querySelector('#recipients fieldset input').checked")
        try studio.browser.run("window.release()")
        try studio.browser.wait(
          until: "document.querySelector('#to-text').textContent === '1 device in the file'")
        #expect(try !studio.has("2 devices", in: "#plan"))
      }
    }
  }
}
