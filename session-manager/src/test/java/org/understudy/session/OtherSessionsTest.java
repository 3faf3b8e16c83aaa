package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.io.Serializable;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.replication.core.Role;

/** Requests that change or end sessions of others. */
class OtherSessionsTest {
  private static final List<String> ENDED = new CopyOnWriteArrayList<>();
  /** What first runs wait for, by the parameter {@code at}. */
  private static final Map<String, CountDownLatch> GATES = new ConcurrentHashMap<>();

  @TempDir
  private static Path directory;

  private static SessionCluster cluster;

  private final Browser one = new Browser();
  private final Browser two = new Browser();

  /** Ends the user's former session: one login a user. */
  private record Login(String user) implements HttpSessionBindingListener, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public void valueBound(HttpSessionBindingEvent event) {
      HttpSession former = known(event.getSession().getServletContext()).put(user, event.getSession());
      if (former != null && !former.getId().equals(event.getSession().getId())) {
        former.invalidate();
      }
    }
  }

  /** Records the ends of sessions. */
  public static final class Ends implements HttpSessionListener {
    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
      ENDED.add(event.getSession().getId() + " " + event.getSession().getAttribute("user"));
    }
  }

  /** The sessions of one replica, by user. */
  @SuppressWarnings("unchecked")
  private static Map<String, HttpSession> known(ServletContext context) {
    return (Map<String, HttpSession>) context.getAttribute("known");
  }

  private static void work(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
    String user = String.valueOf(request.getParameter("user"));
    ServletContext context = request.getServletContext();
    GroupSessions sessions = GroupSessions.of(context);
    String text =
        switch (request.getParameter("do")) {
          case "in" -> {
            request.getSession().setAttribute("user", user);
            known(context).put(user, request.getSession());
            yield request.getSession().getId();
          }
          case "login" -> {
            request.getSession().setAttribute("login", new Login(user));
            yield "in";
          }
          case "container" -> {
            request.getSession();
            request.login(user, "secret");
            yield request.getRemoteUser();
          }
          case "own" -> {
            HttpSession own = request.getSession(false);
            if (own != null) {
              own.getAttribute("user");
            }
            pass(request.getParameter("at"));
            if (own != null && request.getParameter("set") != null) {
              own.setAttribute("set", request.getParameter("set"));
            }
            yield own == null ? "none" : own.getAttribute("user") + " " + own.getAttribute("note");
          }
          case "end" -> {
            HttpSession own = request.getSession(false);
            if (own != null) {
              own.setAttribute("ends", user);
              pass(request.getParameter("at"));
              known(context).get(user).invalidate();
            }
            yield own == null ? "none" : "ended " + user;
          }
          case "endFound" -> {
            List<HttpSession> found = sessions.withAttribute("user", user::equals);
            found.forEach(HttpSession::invalidate);
            yield "ended " + found.size();
          }
          case "endUser" -> {
            List<HttpSession> found = sessions.ofUser(user);
            found.forEach(HttpSession::invalidate);
            yield "ended " + found.size();
          }
          case "note" -> {
            for (HttpSession found : sessions.withAttribute("user", user::equals)) {
              found.setAttribute("note", found.getAttribute("user") + "!");
              found.setMaxInactiveInterval(77);
            }
            yield "noted";
          }
          case "items" -> {
            request.getSession().setAttribute("items", new ArrayList<>(List.of(user)));
            yield "made";
          }
          case "add" -> {
            @SuppressWarnings("unchecked")
            List<String> items = (List<String>) known(context).get(user).getAttribute("items");
            pass(request.getParameter("at"));
            items.add(request.getParameter("item"));
            if (request.getParameter("set") != null) {
              known(context).get(user).setAttribute("items", items);
            }
            yield items.toString();
          }
          default -> String.valueOf(request.getSession().getAttribute("items"));
        };
    response.getWriter().print(text);
  }

  /** The first to come opens the gate of its name, and waits for the gate "open". */
  private static void pass(String gate) throws ServletException {
    CountDownLatch reached = gate == null ? null : GATES.get(gate);
    if (reached == null || reached.getCount() == 0) {
      return;
    }
    reached.countDown();
    try {
      assertTrue(GATES.get("open").await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new ServletException(e);
    }
  }

  private static void application(Context context) {
    context.setRealm(new OneUser());
    context.getServletContext().setAttribute("known", new ConcurrentHashMap<String, HttpSession>());
    context.addApplicationListener(Ends.class.getName());
    SessionServer.servlet(context, "/work", ServletAction.servlet(OtherSessionsTest::work));
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new SessionCluster(2, directory, OtherSessionsTest::application);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @BeforeEach
  void gates() {
    GATES.clear();
    for (String gate : List.of("first", "second", "open")) {
      GATES.put(gate, new CountDownLatch(1));
    }
  }

  private static String url(int replica, String what) {
    return cluster.server(replica).url("/work?do=" + what);
  }

  private static CompletableFuture<String> sent(Browser browser, String url) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            HttpResponse<String> answer = browser.send(browser.get(url));
            return answer.statusCode() == 200 ? answer.body() : answer.statusCode() + " " + answer.body();
          } catch (IOException e) {
            throw new IllegalStateException(e);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
          }
        });
  }

  private static void reach(String gate) throws InterruptedException {
    assertTrue(GATES.get(gate).await(60, TimeUnit.SECONDS));
  }

  @Test
  void aLoginEndsTheFormerSessionOfTheUser() throws Exception {
    one.open(url(1, "in&user=ann"));
    one.open(url(1, "login&user=ann"));
    String id = one.cookie("JSESSIONID");
    two.open(url(1, "in&user=other"));
    assertEquals("in", two.open(url(1, "login&user=ann")));
    assertEquals("none", one.open(url(1, "own")));
    assertEquals("none", one.open(url(2, "own")));
    assertEquals("other null", two.open(url(2, "own")));
    assertEquals(List.of(id + " ann"), ENDED.stream().filter(ended -> ended.startsWith(id)).toList());
  }

  @Test
  void sessionsOfOtherReplicasAreFoundAndEnded() throws Exception {
    one.open(url(2, "in&user=bea"));
    two.open(url(2, "in&user=bea"));
    Browser admin = new Browser();
    admin.open(url(1, "in&user=admin"));
    assertEquals("ended 2", admin.open(url(1, "endFound&user=bea")));
    assertEquals("ended 0", admin.open(url(1, "endFound&user=bea")));
    for (Browser ended : List.of(one, two)) {
      assertEquals("none", ended.open(url(1, "own")));
      assertEquals("none", ended.open(url(2, "own")));
    }
    assertEquals("admin null", admin.open(url(2, "own")));
    one.open(url(2, "container&user=alice"));
    assertEquals("ended 1", new Browser().open(url(1, "endUser&user=alice")));
    assertEquals("none", one.open(url(2, "own")));
  }

  @Test
  void anAttributeOfAnotherSessionIsSet() throws Exception {
    one.open(url(2, "in&user=cem"));
    String id = one.cookie("JSESSIONID");
    HttpResponse<String> answer = two.send(two.post(url(1, "note&user=cem"), ""));
    assertEquals("noted", answer.body());
    assertEquals(List.of(), answer.headers().allValues("Set-Cookie"));
    assertEquals("cem cem!", one.open(url(2, "own")));
    assertEquals("cem cem!", one.open(url(1, "own")));
    assertEquals(id, one.cookie("JSESSIONID"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aSessionThatAnotherRequestUsesIsEndedAsWell(int replica) throws Exception {
    one.open(url(1, "in&user=dan"));
    two.open(url(1, "in&user=admin"));
    CompletableFuture<String> slow = sent(one, url(replica, "own&at=first&set=late"));
    reach("first");
    CompletableFuture<String> end = sent(two, url(1, "end&user=dan&at=second"));
    reach("second");
    if (replica == 2) {
      GATES.get("open").countDown();
      assertEquals("ended dan", end.get());
      slow.get();
    } else {
      GATES.get("open").countDown();
      assertEquals("dan null", slow.get());
      assertEquals("ended dan", end.get());
    }
    assertEquals("none", one.open(url(1, "own")));
    assertEquals("none", one.open(url(2, "own")));
    assertEquals("admin null", two.open(url(2, "own")));
  }

  /** By a request with a session of its own, or without one; with and without setting the attribute again. */
  @ParameterizedTest
  @ValueSource(strings = {"", "&set=yes"})
  void anAttributeOfAnotherSessionThatIsChangedInPlaceIsReplicated(String set) throws Exception {
    one.open(url(1, "in&user=hal"));
    one.open(url(1, "items&user=hal"));
    assertEquals("[hal, a]", new Browser().open(url(1, "add&user=hal&item=a" + set)));
    two.open(url(1, "in&user=admin"));
    assertEquals("[hal, a, b]", two.open(url(1, "add&user=hal&item=b" + set)));
    assertEquals("[hal, a, b]", one.open(url(2, "show")));
    assertEquals("[hal, a, b]", one.open(url(1, "show")));
  }

  /** The attribute changes between the reading and the change, at the other replica. */
  @ParameterizedTest
  @ValueSource(strings = {"", "&set=yes"})
  void aChangeOfAnotherSessionRestsOnWhatIsStable(String set) throws Exception {
    one.open(url(1, "in&user=ida"));
    one.open(url(1, "items&user=ida"));
    two.open(url(1, "in&user=admin"));
    CompletableFuture<String> late = sent(two, url(1, "add&user=ida&item=late&at=first" + set));
    reach("first");
    // The other replica knows the session, too: it has the object when it has set it there.
    one.open(url(2, "in&user=ida"));
    assertEquals("[ida, early]", new Browser().open(url(2, "add&user=ida&item=early&set=yes")));
    GATES.get("open").countDown();
    assertEquals("[ida, early, late]", late.get());
    assertEquals("[ida, early, late]", one.open(url(1, "show")));
    assertEquals("[ida, early, late]", one.open(url(2, "show")));
  }

  private void endEachOther(Browser first, Browser second) throws Exception {
    first.open(url(1, "in&user=eve"));
    second.open(url(1, "in&user=fay"));
    CompletableFuture<String> endsSecond = sent(first, url(1, "end&user=fay&at=first"));
    reach("first");
    CompletableFuture<String> endsFirst = sent(second, url(1, "end&user=eve&at=second"));
    reach("second");
    GATES.get("open").countDown();
    List<String> answers = List.of(endsSecond.get(60, TimeUnit.SECONDS), endsFirst.get(60, TimeUnit.SECONDS));
    assertTrue(
        answers.equals(List.of("ended fay", "none")) || answers.equals(List.of("none", "ended eve")), () -> answers.toString());
    boolean firstLives = answers.get(1).equals("none");
    assertEquals(firstLives ? "eve null" : "none", first.open(url(1, "own")));
    assertEquals(firstLives ? "none" : "fay null", second.open(url(1, "own")));
  }

  @Test
  void twoSessionsThatEndEachOtherDoNotWaitForEachOther() throws Exception {
    endEachOther(one, two);
  }

  @Test
  void aPrimaryEndsOtherSessionsToo() throws Exception {
    SessionCluster before = cluster;
    Consumer<ReplicatedSessionManager> primaryBackup = manager -> manager.setStrategy("primary-backup");
    try (SessionCluster other = new SessionCluster(2, directory.resolve("primary"), OtherSessionsTest::application, primaryBackup)) {
      assertEquals(Role.PRIMARY, other.server(1).replica().role());
      cluster = other;
      endEachOther(one, two);
      one.open(url(1, "in&user=gus"));
      two.open(url(1, "in&user=admin"));
      assertEquals("ended 1", two.open(url(1, "endFound&user=gus")));
      assertEquals("none", one.open(url(1, "own")));
    } finally {
      cluster = before;
    }
  }
}
