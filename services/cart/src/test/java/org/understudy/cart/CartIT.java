package org.understudy.cart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.understudy.test.Condition;

/** The shop as a customer uses it: the web archive in three Tomcats, through HTTP and in Chromium. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CartIT {
  @TempDir
  private static Path directory;

  private static Shops shops;

  @BeforeAll
  static void start() throws Exception {
    shops = new Shops(directory);
  }

  @AfterAll
  static void stop() throws Exception {
    shops.close();
  }

  @Test
  @Order(1)
  void aCartFollowsItsCustomerToEveryReplica() throws Exception {
    HttpClient customer = HttpClient.newBuilder().cookieHandler(new CookieManager()).followRedirects(HttpClient.Redirect.ALWAYS).build();
    assertTrue(post(customer, 1, "add=TEAPOT").contains("<span id=\"total\">24.50</span>"));
    assertTrue(post(customer, 2, "add=CUP").contains("<span id=\"total\">32.40</span>"));
    shops.reload(3);
    assertTrue(post(customer, 3, "remove=TEAPOT").contains("<span id=\"total\">7.90</span>"));
    String page = post(customer, 1, "order=yes");
    assertTrue(page.contains("<span id=\"total\">0.00</span>") && page.contains("<span id=\"orders\">1</span>"), page);
  }

  private static String post(HttpClient customer, int replica, String form) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(shops.page(replica)))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build();
    HttpResponse<String> response = customer.send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response.body());
    return response.body();
  }

  @Test
  @Order(2)
  void aCustomerShopsInABrowserWhileAReplicaFails() throws Exception {
    ChromeDriver browser = browser();
    try {
      browser.get(shops.page(1));
      press(browser, "add", "TEAPOT", "24.50");
      press(browser, "add", "TEAPOT", "49.00");
      browser.findElement(By.id("to-2")).click();
      Condition.await("replica 2", () -> text(browser, "replica").equals("2"));
      assertEquals("49.00", text(browser, "total"));
      press(browser, "add", "SPOON", "52.20");
      shops.kill(2);
      shops.awaitService(3);
      browser.get(shops.page(3));
      assertEquals("52.20", text(browser, "total"));
      press(browser, "remove", "SPOON", "49.00");
      // With an address of its own: of several pages with one address, the browser shows the last.
      browser.get(shops.page(3) + "?before");
      press(browser, "order", "yes", "0.00");
      assertEquals("1", text(browser, "orders"));
      press(browser, "add", "CUP", "7.90");
      // The form of the page before is sent again: its token names the order that has been made, and the cup is not ordered.
      goBackTo(browser, "49.00");
      press(browser, "order", "yes", "7.90");
      assertEquals("1", text(browser, "orders"));
      browser.get(shops.page(1));
      assertEquals("7.90", text(browser, "total"));
      sendTwice(browser);
    } finally {
      browser.quit();
    }
  }

  /**
   * Two windows send one form, as a customer does who doubts the first click. It is not an order: a second one would find an empty cart,
   * and change nothing.
   */
  private static void sendTwice(ChromeDriver browser) {
    Object statuses =
        browser.executeAsyncScript(
            "const done = arguments[arguments.length - 1];"
                + "const token = document.querySelector('input[name=\"understudy.request\"]').value;"
                + "const form = new URLSearchParams({'understudy.request': token, add: 'SPOON'});"
                + "const send = () => fetch('shop', {method: 'POST', body: form})"
                + ".then(answer => answer.status);"
                + "Promise.all([send(), send()]).then(done);");
    assertEquals(List.of(200L, 200L), statuses);
    browser.navigate().refresh();
    assertEquals("11.10", text(browser, "total"));
  }

  /** Presses the browser's button until it shows the page as it was. */
  private static void goBackTo(ChromeDriver browser, String total) {
    Condition.await(
        "the page with the total " + total,
        () -> {
          browser.navigate().back();
          return text(browser, "total").equals(total);
        });
  }

  private static void press(ChromeDriver browser, String name, String value, String total) {
    WebElement button = browser.findElement(By.cssSelector("button[name=" + name + "][value=" + value + "]"));
    button.click();
    Condition.await("the total " + total, () -> text(browser, "total").equals(total));
  }

  /** Returns an element's text; empty while there is no such element, or another page is taking its place. */
  private static String text(ChromeDriver browser, String id) {
    try {
      List<WebElement> found = browser.findElements(By.id(id));
      return found.isEmpty() ? "" : found.get(0).getText();
    } catch (WebDriverException e) {
      // The element of the page before: a StaleElementReferenceException, or an error without a class of its own.
      return "";
    }
  }

  /** Starts Chromium; skips the test, or fails where {@code -Dinterop.required=true} demands it, when it is not installed. */
  private static ChromeDriver browser() {
    File driver = new File("/usr/bin/chromedriver");
    if (!driver.canExecute()) {
      String missing = "There is no browser: install chromium and chromium-driver (Debian) for this test.";
      if (Boolean.getBoolean("interop.required")) {
        fail(missing);
      }
      assumeTrue(false, missing);
    }
    ChromeOptions options = new ChromeOptions();
    options.setBinary(Files.isExecutable(Path.of("/usr/bin/chromium")) ? "/usr/bin/chromium" : "/usr/bin/google-chrome");
    options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-proxy-server");
    ChromeDriverService service = new ChromeDriverService.Builder().usingDriverExecutable(driver).usingAnyFreePort().build();
    return new ChromeDriver(service, options);
  }
}
