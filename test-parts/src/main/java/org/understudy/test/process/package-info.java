/** Programs in processes of their own, as somebody at a terminal meets them. */
package org.understudy.test.process;
