import "./main.tsx";
import "./pages/auth-page.tsx"; // in auth.html, the browser loads it together with the app
