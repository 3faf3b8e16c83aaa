/** A shopping cart as a plain servlet with an {@code HttpSession}. It knows nothing of its replication. */
package org.understudy.cart;
