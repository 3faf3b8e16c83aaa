/** The durability compiler as a plugin of Maven. */
package org.understudy.durability.maven;
