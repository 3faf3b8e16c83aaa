package org.understudy.cart;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Shows the shop with the customer's cart, and changes the cart. After each change the browser loads the page again. */
public final class CartServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String CART = "cart";
  // The empty icon: without it, a browser asks Tomcat for one and reports that there is none.
  private static final String HEAD =
      "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Shop</title><link rel=\"icon\" href=\"data:,\">"
          + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><style>"
          + "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;color:#222}"
          + "button{font:inherit;padding:.3rem .7rem;margin:.1rem}li{margin:.3rem 0}"
          + "</style></head>";

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    HttpSession session = request.getSession();
    Cart cart = (Cart) session.getAttribute(CART);
    if (cart == null) {
      cart = new Cart();
      session.setAttribute(CART, cart);
    }
    String add = request.getParameter("add");
    String remove = request.getParameter("remove");
    try {
      if (add != null) {
        cart.add(Product.valueOf(add));
      } else if (remove != null) {
        cart.remove(Product.valueOf(remove));
      } else if (request.getParameter("order") != null) {
        cart.order();
      }
    } catch (IllegalArgumentException e) {
      response.sendError(HttpServletResponse.SC_BAD_REQUEST, "The shop does not sell that.");
      return;
    }
    response.sendRedirect("shop");
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    HttpSession session = request.getSession(false);
    Cart found = session == null ? null : (Cart) session.getAttribute(CART);
    response.setContentType("text/html;charset=UTF-8");
    // A customer who goes back sees the page as it was, and can press its buttons again.
    response.setHeader("Cache-Control", "private, no-cache");
    response.getWriter().print(page(found == null ? new Cart() : found));
  }

  private String page(Cart cart) {
    StringBuilder page = new StringBuilder(2_000);
    page.append(HEAD).append("<body><h1>Shop</h1>");
    page.append("<form method=\"post\" action=\"shop\">");
    for (Product product : Product.values()) {
      button(page, "add", product, product.title() + ", " + price(product.cents()));
    }
    page.append("</form><h2>Cart</h2><form method=\"post\" action=\"shop\"><ul>");
    for (Map.Entry<Product, Integer> line : cart.quantities().entrySet()) {
      page.append("<li id=\"").append(line.getKey().name()).append("\">").append(line.getValue()).append(" × ");
      page.append(line.getKey().title()).append(' ');
      button(page, "remove", line.getKey(), "Remove");
      page.append("</li>");
    }
    page.append("</ul></form>").append(cart.quantities().isEmpty() ? "<p>The cart is empty.</p>" : "");
    page.append("<p>Total: <span id=\"total\">").append(price(cart.totalCents())).append("</span>, ");
    page.append("orders: <span id=\"orders\">").append(cart.orders()).append("</span></p><form method=\"post\" action=\"shop\">");
    // The order of this page is meant once, also when the customer goes back within two minutes (duplicatesSeconds) and presses the button
    // again.
    page.append("<input type=\"hidden\" name=\"understudy.request\" value=\"").append(UUID.randomUUID()).append("\">");
    page.append("<button name=\"order\" value=\"yes\">Order</button></form><p>");
    links(page);
    return page.append("</p></body></html>").toString();
  }

  private static void button(StringBuilder page, String action, Product product, String text) {
    page.append("<button name=\"").append(action).append("\" value=\"").append(product.name());
    page.append("\">").append(text).append("</button> ");
  }

  /** Links to the cart at each replica. The addresses are the administrator's. */
  private void links(StringBuilder page) {
    page.append("Sent by replica <span id=\"replica\">").append(getServletContext().getInitParameter("cart.replica"));
    page.append("</span>. The same cart at:");
    String replicas = getServletContext().getInitParameter("cart.replicas");
    int number = 0;
    for (String address : replicas == null ? new String[0] : replicas.split(",")) {
      number++;
      page.append(" <a id=\"to-").append(number).append("\" href=\"").append(address);
      page.append("/shop\">replica ").append(number).append("</a>");
    }
  }

  private static String price(int cents) {
    return String.format(Locale.ROOT, "%d.%02d", cents / 100, cents % 100);
  }
}
