/** A service with state objects, as its author writes it: no word of durability. */
package org.understudy.durability.compiler.shop;
