/** Captures and restores the state of objects without code of their own, by the declared types of their fields. */
package org.understudy.state;
