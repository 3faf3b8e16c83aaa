package org.understudy.session;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What a browser does with cookies: one jar for all windows, and whatever arrives last counts. */
final class Browser {
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> cookies = new LinkedHashMap<>();

  Browser() {}

  /** A browser with the same cookies from now on: as if answers to the other one were lost. */
  Browser copy() {
    Browser copy = new Browser();
    copy.cookies.putAll(cookies);
    return copy;
  }

  /** A request that the browser has composed with its cookies of that moment. */
  HttpRequest get(String url) {
    return request(url).GET().build();
  }

  /** A form that the browser sends. */
  HttpRequest post(String url, String form) {
    return request(url)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(form))
        .build();
  }

  private HttpRequest.Builder request(String url) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    synchronized (cookies) {
      if (!cookies.isEmpty()) {
        request.header(
            "Cookie",
            cookies.entrySet().stream().map(cookie -> cookie.getKey() + "=" + cookie.getValue()).collect(Collectors.joining("; ")));
      }
    }
    return request;
  }

  /** Sends a request and takes the cookies of its answer. */
  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = delayed(request);
    take(response);
    return response;
  }

  /** Sends a request whose answer is still on its way to the browser: {@link #take} lets it arrive. */
  HttpResponse<String> delayed(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Takes the cookies of an answer. */
  void take(HttpResponse<String> response) {
    synchronized (cookies) {
      for (String cookie : response.headers().allValues("Set-Cookie")) {
        String pair = cookie.split(";", 2)[0];
        int equals = pair.indexOf('=');
        cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
  }

  /** Opens a page and returns its text; fails unless its status is 200. */
  String open(String url) throws IOException, InterruptedException {
    HttpResponse<String> response = send(get(url));
    if (response.statusCode() != 200) {
      throw new AssertionError(url + " answers " + response.statusCode() + ": " + response.body());
    }
    return response.body();
  }

  String cookie(String name) {
    synchronized (cookies) {
      return cookies.get(name);
    }
  }

  void setCookie(String name, String value) {
    synchronized (cookies) {
      cookies.put(name, value);
    }
  }
}
