package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Level;
import org.apache.catalina.Context;
import org.apache.catalina.authenticator.FormAuthenticator;
import org.apache.tomcat.util.descriptor.web.LoginConfig;
import org.apache.tomcat.util.descriptor.web.SecurityCollection;
import org.apache.tomcat.util.descriptor.web.SecurityConstraint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.session.http.HandleCookie;
import org.understudy.test.LogRecorder;

/** A login by a form whose steps reach different Tomcats. */
class SessionLoginTest {
  @TempDir
  private Path directory;

  private final Browser browser = new Browser();

  /** The form, and the names of the session's attributes. */
  private static final class FormServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
      HttpSession session = request.getSession(false);
      response.getWriter().print("log in " + (session == null ? "" : Collections.list(session.getAttributeNames())));
    }
  }

  /** Answers with the request's body. */
  private static final class EchoServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
      byte[] body = request.getInputStream().readAllBytes();
      response.getWriter().print(request.getMethod() + " " + new String(body, StandardCharsets.UTF_8));
    }
  }

  private static void application(Context context) {
    context.setRealm(new OneUser());
    context.setLoginConfig(new LoginConfig("FORM", null, "/form", "/form"));
    context.getPipeline().addValve(new FormAuthenticator());
    context.addSecurityRole("customer");
    SecurityCollection pages = new SecurityCollection();
    pages.addPattern("/shop");
    pages.addPattern("/echo");
    SecurityConstraint customers = new SecurityConstraint();
    customers.addCollection(pages);
    customers.addAuthRole("customer");
    context.addConstraint(customers);
    SessionServer.servlet(context, "/shop", new ShopServlet());
    SessionServer.servlet(context, "/echo", new EchoServlet());
    SessionServer.servlet(context, "/form", new FormServlet());
  }

  @Test
  void aRequestThatWaitsForALoginContinuesAtAnotherReplica() throws Exception {
    try (SessionCluster cluster = new SessionCluster(2, directory, SessionLoginTest::application)) {
      // A form that is refused until the user has logged in.
      HttpResponse<String> form = browser.send(browser.post(cluster.server(1).url("/shop"), "do=put&name=a&value=one"));
      assertEquals("log in []", form.body());
      assertNotNull(browser.cookie(HandleCookie.NAME), "sent when the session is stable");
      HttpRequest wrong = browser.post(cluster.server(2).url("/j_security_check"), "j_username=alice&j_password=guessed");
      assertEquals("log in []", browser.send(wrong).body());
      HttpRequest login = browser.post(cluster.server(2).url("/j_security_check"), "j_username=alice&j_password=secret");
      HttpResponse<String> redirect = browser.send(login);
      assertEquals(303, redirect.statusCode(), redirect.body());
      assertEquals("/shop", redirect.headers().firstValue("Location").orElse(""));
      // Its parameters are those of the form.
      assertEquals("put", browser.open(cluster.server(1).url("/shop")));
      assertEquals("one", browser.open(cluster.server(2).url("/shop?do=show&name=a")));
      assertEquals("log in [a]", browser.open(cluster.server(1).url("/form")));
      theBodyWaitsToo(cluster);
    }
  }

  /** The valve that shows the form needs a session, and has no web application around it. */
  @Test
  void aVisitorAtABackupWhoHasToLogInIsNoErrorOfTheServer() throws Exception {
    try (SessionCluster cluster =
        new SessionCluster(2, directory, SessionLoginTest::application, manager -> manager.setStrategy("primary-backup"))) {
      try (LogRecorder log = LogRecorder.of(Level.WARNING, "org.apache.catalina", "org.understudy")) {
        List<Integer> statuses = new ArrayList<>();
        for (int replica = 1; replica <= 2; replica++) {
          Browser visitor = new Browser();
          HttpResponse<String> form = visitor.send(visitor.post(cluster.server(replica).url("/shop"), "do=put&name=a&value=one"));
          statuses.add(form.statusCode());
        }
        assertEquals(List.of(200, 503), statuses.stream().sorted().toList());
        assertEquals(List.of(), log.lines());
      }
    }
  }

  private static void theBodyWaitsToo(SessionCluster cluster) throws Exception {
    Browser browser = new Browser();
    assertEquals("log in []", browser.send(browser.post(cluster.server(2).url("/echo"), "a body")).body());
    browser.send(browser.post(cluster.server(1).url("/j_security_check"), "j_username=alice&j_password=secret"));
    assertEquals("POST a body", browser.open(cluster.server(2).url("/echo")));
  }
}
